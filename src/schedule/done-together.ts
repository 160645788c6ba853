import { setTimeout as delay } from 'node:timers/promises';

/** Of the time that it takes; so it leaves nine tenths to others. */
const RESTS = 9;
/** Where the process is slow, nobody waits for that as well. */
const LONGEST_REST_MS = 500;

/**
 * Work that anybody may ask for at any time: it is done once for all who asked before it began, and what it
 * takes it leaves to others nine times before it begins again.
 */
export function doneTogether<T>(work: () => Promise<T>): () => Promise<T> {
  let coming: Promise<T> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  let restsUntil = -Infinity;
  const run = async (): Promise<T> => {
    await running;
    const restMs = restsUntil - performance.now();
    if (restMs > 0) await delay(restMs);
    const begunAt = performance.now();
    // Who asks from now on would be told what was before.
    coming = undefined;
    try {
      return await work();
    } finally {
      const endedAt = performance.now();
      restsUntil = endedAt + Math.min(LONGEST_REST_MS, RESTS * (endedAt - begunAt));
    }
  };
  return () => {
    if (coming) return coming;
    coming = run();
    running = coming.catch(() => undefined);
    return coming;
  };
}
