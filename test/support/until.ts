/**
 * Waits for something to become true.
 *
 * @param options.everyMs how long to wait between two looks: longer, where a look costs something itself.
 * @throws after fifteen seconds, or as many as it may take; with what the last look threw as the cause.
 */
export async function until(
  holds: () => Promise<boolean> | boolean,
  { seconds = 15, everyMs = 20 } = {},
): Promise<void> {
  const giveUpAt = performance.now() + seconds * 1_000;
  for (;;) {
    let cause: unknown;
    try {
      if (await holds()) return;
    } catch (error) {
      cause = error;
    }
    if (performance.now() > giveUpAt)
      throw new Error(`it did not happen within ${seconds} s`, { cause });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
