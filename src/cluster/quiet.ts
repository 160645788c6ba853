import { setImmediate, setTimeout as delay } from 'node:timers/promises';

/** When a listener closes, however many connections still come. */
export const MOST_CONNECTING_MS = 5_000;
/**
 * How long a round of the event loop may take in which hardly a connection can have come unseen: longer,
 * the longer none was so short, as on a machine that is slow or busy.
 */
const shortRoundMs = (waitedMs: number): number => 0.05 + waitedMs / 5_000;

/**
 * Finds the moments in which a listener may be closed: a connection that waits to be accepted then is
 * reset, perhaps with a request in it.
 *
 * @param isComing whether any has come since it was last asked, or still waits.
 * @param isHurried whether nothing is to be waited for.
 * @returns what resolves in the moment after a round of the event loop that was short and brought no
 * connection; after five seconds from now at once.
 */
export function quietMoments(
  isComing: () => boolean,
  isHurried: () => boolean,
): () => Promise<void> {
  const askedAt = performance.now();
  return async () => {
    let isShort: boolean;
    do {
      // The system lets a process go on that has slept, and halts one somewhere that goes round and round.
      await delay(1);
      isComing();
      const roundAt = performance.now();
      await setImmediate();
      const waitedMs = roundAt - askedAt;
      isShort = performance.now() - roundAt < shortRoundMs(waitedMs);
      if (isHurried() || waitedMs > MOST_CONNECTING_MS) return;
    } while (isComing() || !isShort);
  };
}
