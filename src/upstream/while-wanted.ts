/** What is awaited, which goes on all the same. @throws the signal's reason as soon as it is aborted. */
export async function whileWanted<T>(awaited: Promise<T>, signal: AbortSignal): Promise<T> {
  const cut = Promise.withResolvers<never>();
  const onCut = (): void => {
    cut.reject(signal.reason as Error);
  };
  signal.addEventListener('abort', onCut, { once: true });
  if (signal.aborted) onCut();
  try {
    return await Promise.race([awaited, cut.promise]);
  } finally {
    signal.removeEventListener('abort', onCut);
  }
}
