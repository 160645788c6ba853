import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Server } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { type Config } from './config/config.js';
import { Lifecycle } from './health/lifecycle.js';
import { Listeners } from './http/listeners.js';
import { RunningRequests } from './http/running-requests.js';
import {
  CLOSING_MS,
  LAST_WORDS_MS,
  MOST_CONNECTING_MS,
  takingMs,
  TELLING_MS,
} from './stop-times.js';

const LOOK_MS = 50;
/**
 * How long no request may have come, and no answer ended, before unused connections are broken off. A
 * proxy may be sending one at that moment, and must not send it again elsewhere. Until then each
 * connection ends with the request that comes over it, and new ones are refused, from which proxies
 * learn to go elsewhere.
 */
const QUIET_MS = 1_000;
/** A round of the event loop in which hardly a connection can have come unseen. */
const SHORT_ROUND_MS = 0.5;

/**
 * Readiness turns first; requests in flight may finish; what is left then is told so, settled, and
 * everything is closed.
 *
 * @param hurry aborted when nothing is to be waited for any more.
 * @throws when something could not be closed in ten seconds.
 */
export async function stopped(
  app: NestExpressApplication,
  config: Config,
  hurry: AbortSignal,
): Promise<void> {
  const lifecycle = app.get(Lifecycle);
  const running = app.get(RunningRequests);
  const part = (): void => {
    lifecycle.part();
    running.part();
  };
  lifecycle.drain();
  if (config.drainDelayMs > 0) part();
  await waited(takingMs(config), hurry);
  const server = app.getHttpServer();
  await unconnected(server, hurry);
  const closed = app.get(Listeners, { strict: false }).close();
  part();
  const closedAt = performance.now();
  const unused = setInterval(() => {
    const quietMs = performance.now() - Math.max(closedAt, running.movedAt);
    if (hurry.aborted || quietMs > QUIET_MS) running.closeUnused();
  }, LOOK_MS);
  await Promise.race([closed, waited(config.graceMs, hurry)]);
  running.interrupt(TELLING_MS);
  await Promise.race([closed, delay(LAST_WORDS_MS)]);
  clearInterval(unused);
  server.closeAllConnections();
  await Promise.race([app.close(), tooLate()]);
}

/**
 * Resolves in the moment after a round of the event loop that was short and met no new connection. One
 * that waits to be accepted when the listener closes is reset, perhaps with a request in it.
 */
async function unconnected(server: Server, hurry: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + MOST_CONNECTING_MS;
  let connections = 0;
  const count = (): number => (connections += 1);
  server.on('connection', count);
  let isShort: boolean;
  let before: number;
  do {
    before = connections;
    const roundAt = performance.now();
    await setImmediate();
    isShort = performance.now() - roundAt < SHORT_ROUND_MS;
    if (hurry.aborted || roundAt > giveUpAt) break;
  } while (connections > before || !isShort);
  server.off('connection', count);
}

async function waited(ms: number, hurry: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: hurry }).catch(() => undefined);
}

async function tooLate(): Promise<never> {
  await delay(CLOSING_MS, undefined, { ref: false });
  throw new Error('not everything could be closed');
}
