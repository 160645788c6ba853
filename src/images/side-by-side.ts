/** So many at once: enough not to wait for one after the other, and few for who is asked. */
const MOST_AT_ONCE = 4;

/**
 * What `work` makes of each, in their order. It fails as if one came after the other: when one fails,
 * those behind it are stopped by their signal or not begun.
 *
 * @param signal ends those that heed it.
 * @throws what the first of those threw that failed, as soon as none runs any more.
 */
export async function sideBySide<T, R>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T, signal: AbortSignal) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const stops = items.map(() => new AbortController());
  const failures: { readonly index: number; readonly error: unknown }[] = [];
  const waiting = items.entries();
  const workers = Array.from({ length: MOST_AT_ONCE }, async () => {
    for (const [index, item] of waiting) {
      if (failures.length > 0) return;
      const stop = stops[index]?.signal ?? signal;
      try {
        results[index] = await work(item, AbortSignal.any([signal, stop]));
      } catch (error) {
        failures.push({ index, error });
        for (const later of stops.slice(index + 1)) later.abort(error);
      }
    }
  });
  await Promise.all(workers);
  const [first] = failures.sort((one, other) => one.index - other.index);
  if (first) throw first.error;
  return results;
}
