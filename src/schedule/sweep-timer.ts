/**
 * Sweeps now, and again every `everyMs` ms until the timer is cleared, which keeps no process alive.
 *
 * @param failed hears why a sweep could not be made; the next one is made all the same.
 */
export function startSweeping(
  everyMs: number,
  sweep: () => Promise<void>,
  failed: (reason: unknown) => void,
): NodeJS.Timeout {
  const next = (): void => {
    sweep().catch(failed);
  };
  const timer = setInterval(next, everyMs).unref();
  next();
  return timer;
}
