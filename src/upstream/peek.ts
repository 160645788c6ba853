/** The first piece of a body, and the body, which still begins with it. */
export interface Peeked {
  readonly first: Buffer;
  readonly body: AsyncIterable<Buffer>;
}

/** Waits for the first piece of a body; an empty body has an empty one. */
export async function peek(body: AsyncIterable<Buffer>): Promise<Peeked> {
  const pieces = body[Symbol.asyncIterator]();
  const begun = await pieces.next();
  const first = begun.done === true ? Buffer.alloc(0) : begun.value;
  return { first, body: startingWith(first, pieces) };
}

async function* startingWith(
  first: Buffer,
  pieces: AsyncIterator<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield first;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      yield next.value;
    }
  } finally {
    await pieces.return?.();
  }
}
