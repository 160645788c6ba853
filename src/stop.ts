import { type NestExpressApplication } from '@nestjs/platform-express';
import { setTimeout as delay } from 'node:timers/promises';
import { Primary } from './cluster/primary.service.js';
import { quietMoments } from './cluster/quiet.js';
import { UNLISTEN } from './cluster/supervisor.js';
import { type Config } from './config/config.js';
import { Lifecycle } from './health/lifecycle.js';
import { Listeners } from './http/listeners.js';
import { RunningRequests } from './http/running-requests.js';
import { CLOSING_MS, LAST_WORDS_MS, takingMs, TELLING_MS, UNLISTENED_MS } from './stop-times.js';

const LOOK_MS = 50;
/**
 * How long no request may have come, and no answer ended, before unused connections are broken off. A
 * proxy may be sending one at that moment, and must not send it again elsewhere. Until then each
 * connection ends with the request that comes over it, and new ones are refused, from which proxies
 * learn to go elsewhere.
 */
const QUIET_MS = 1_000;

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
  await unconnected(app, hurry);
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
  app.getHttpServer().closeAllConnections();
  await Promise.race([app.close(), tooLate()]);
}

/**
 * Resolves in a moment in which no connection waits to be accepted, with one listener left. Of several
 * workers the first process accepts them: when it answers it has stopped to, and the workers have all
 * that it had.
 */
async function unconnected(app: NestExpressApplication, hurry: AbortSignal): Promise<void> {
  const primary = app.get(Primary, { strict: false });
  if (primary.exists) {
    const unlistened = primary.ask(UNLISTEN, null, UNLISTENED_MS);
    await Promise.race([unlistened, waited(UNLISTENED_MS, hurry)]);
    return;
  }
  let connections = 0;
  const count = (): number => (connections += 1);
  const isComing = (): boolean => {
    const came = connections > 0;
    connections = 0;
    return came;
  };
  const server = app.getHttpServer();
  server.on('connection', count);
  const quiet = quietMoments(isComing, () => hurry.aborted);
  await app.get(Listeners, { strict: false }).narrow(quiet);
  await quiet();
  server.off('connection', count);
}

async function waited(ms: number, hurry: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: hurry }).catch(() => undefined);
}

async function tooLate(): Promise<never> {
  await delay(CLOSING_MS, undefined, { ref: false });
  throw new Error('not everything could be closed');
}
