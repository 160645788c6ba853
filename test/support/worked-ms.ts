/**
 * How long this thread has worked while something was done, in ms. How long that took would say how
 * busy the machine was.
 */
export async function workedMs(done: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await done();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
