/**
 * A caller of its own process, so that what keeps one caller's event loop does not look as if the
 * gateway had kept another one waiting. Gets `{url, key, body, forMs}` and either `perSecond`, for
 * calls whether answers come or not, or `connections`, each of which calls again when it was answered.
 * Tells of each call `{sentMs, status, ms}`, in one message when the last one has been answered.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { timedCall } from './timed-call.mjs';

const MOST_CONNECTIONS = 4_000;
/** By origin: a caller keeps its connections. */
const pools = new Map();

process.on('message', async (job) => {
  const pool = poolOf(job.url);
  const startedAt = performance.now();
  const calls = [];
  const gone = () => performance.now() - startedAt;
  const connection = async () => {
    while (gone() < job.forMs) calls.push(await timedCall(pool, job, gone()));
  };
  if (job.connections) {
    await Promise.all(Array.from({ length: job.connections }, connection));
  } else {
    for (; gone() < job.forMs; await delay(2)) {
      while (calls.length < (job.perSecond * gone()) / 1_000)
        calls.push(timedCall(pool, job, gone()));
    }
  }
  process.send(await Promise.all(calls));
});
process.send('ready');

function poolOf(url) {
  const pool = pools.get(url) ?? new Pool(url, { connections: MOST_CONNECTIONS });
  pools.set(url, pool);
  return pool;
}
