/** What is shorter is worked on at once: it would gain nothing from slices. In bytes. */
export const LARGE_BYTES = 1024 * 1024;
/** The longest that work keeps the event loop for itself, in milliseconds. */
const SLICE_MS = 5;

/** The end of the last round that was asked for: of all work that waits only one part runs in each. */
let lastRound: Promise<void> = Promise.resolve();

/**
 * Runs work that comes in small steps, and lets the event loop serve everybody else after every few
 * milliseconds. Work that is done sooner does not wait at all.
 *
 * @returns what the work returns.
 * @throws what it throws.
 */
export async function timeSliced<T>(work: Generator<void, T>): Promise<T> {
  for (;;) {
    const until = performance.now() + SLICE_MS;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < until);
    await nextFreeRound();
  }
}

/** Runs work that comes in steps in one go. @returns what the work returns. @throws what it throws. */
export function atOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Waits until the event loop has come round, and whoever has waited longer has had a round. */
export function nextFreeRound(): Promise<void> {
  lastRound = lastRound.then(
    () =>
      new Promise((resolve) => {
        setImmediate(resolve);
      }),
  );
  return lastRound;
}
