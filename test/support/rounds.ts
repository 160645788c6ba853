/** Counts how often the event loop comes round, until it is asked. */
export function countRounds(): () => number {
  let rounds = 0;
  const count = (): void => {
    rounds += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return () => {
    clearImmediate(next);
    return rounds;
  };
}
