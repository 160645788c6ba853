/** Waits for something to become true. @throws after fifteen seconds, or as many as it may take. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  { seconds = 15 } = {},
): Promise<void> {
  const giveUpAt = performance.now() + seconds * 1_000;
  while (
    !(await Promise.resolve()
      .then(holds)
      .catch(() => false))
  ) {
    if (performance.now() > giveUpAt) throw new Error(`it did not happen within ${seconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
