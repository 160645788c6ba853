/**
 * A caller of its own process, so that what keeps one caller's event loop does not look as if the
 * gateway had kept another one waiting. Gets `{url, path, key, body, perSecond, forMs}` and tells of
 * each call `{sentMs, status, ms}`, in one message when the last one has been answered.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';

const MOST_CONNECTIONS = 4_000;
/** By origin: a caller keeps its connections. */
const pools = new Map();

process.on('message', async (job) => {
  const pool = poolOf(job.url);
  const startedAt = performance.now();
  const calls = [];
  for (;;) {
    const sentMs = performance.now() - startedAt;
    if (sentMs > job.forMs) break;
    while (calls.length < (job.perSecond * sentMs) / 1_000) calls.push(call(pool, job, sentMs));
    await delay(2);
  }
  process.send(await Promise.all(calls));
});
process.send('ready');

function poolOf(url) {
  const pool = pools.get(url) ?? new Pool(url, { connections: MOST_CONNECTIONS });
  pools.set(url, pool);
  return pool;
}

async function call(pool, { path, key, body }, sentMs) {
  const startedAt = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const status = await pool
    .request({ method: 'POST', path, headers, body })
    .then(async (response) => {
      await response.body.dump();
      return response.statusCode;
    })
    .catch(() => 0);
  return { sentMs, status, ms: performance.now() - startedAt };
}
