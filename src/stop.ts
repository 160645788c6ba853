import { type NestExpressApplication } from '@nestjs/platform-express';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config } from './config/config.js';
import { Lifecycle } from './health/lifecycle.js';
import { RunningRequests } from './http/running-requests.js';

const LOOK_MS = 50;
/** For error events to reach their readers. */
const LAST_WORDS_MS = 500;
/** For the records to be written, and everything to be closed. */
const CLOSING_MS = 10_000;

/**
 * Readiness turns first; requests in flight may finish; what is left then is told so, settled, and
 * everything is closed.
 *
 * @param hurry aborted when nothing is to be waited for any more.
 * @throws when something could not be closed in ten seconds.
 */
export async function stopped(
  app: NestExpressApplication,
  { drainDelayMs, graceMs }: Config,
  hurry: AbortSignal,
): Promise<void> {
  app.get(Lifecycle).drain();
  await waited(drainDelayMs, hurry);
  const server = app.getHttpServer();
  const closed = new Promise((resolve) => server.close(resolve));
  // Connections whose last answer began before the stop would be kept for another one.
  const idle = setInterval(() => {
    server.closeIdleConnections();
  }, LOOK_MS);
  await Promise.race([closed, waited(graceMs, hurry)]);
  app.get(RunningRequests).interrupt();
  await Promise.race([closed, delay(LAST_WORDS_MS)]);
  clearInterval(idle);
  server.closeAllConnections();
  await Promise.race([app.close(), tooLate()]);
}

async function waited(ms: number, hurry: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: hurry }).catch(() => undefined);
}

async function tooLate(): Promise<never> {
  await delay(CLOSING_MS, undefined, { ref: false });
  throw new Error('not everything could be closed');
}
