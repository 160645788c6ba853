/**
 * The body; the deployment is free when it ends, breaks off or is left. A generator could not be left
 * while it waits for a piece, and a refusal that hangs is.
 */
export function released(
  body: AsyncIterable<Buffer>,
  release: () => void,
): AsyncIterableIterator<Buffer, undefined> {
  const pieces: AsyncIterator<Buffer, unknown> = body[Symbol.asyncIterator]();
  return {
    async next() {
      try {
        const next = await pieces.next();
        if (!next.done) return next;
        release();
        return { done: true, value: undefined };
      } catch (error) {
        release();
        throw error;
      }
    },
    async return() {
      release();
      await pieces.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
