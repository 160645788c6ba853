/** The beginning of a body, and the body, which still begins with it. */
interface Peeked {
  readonly beginning: Buffer;
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Waits for the beginning of a body: its pieces up to the first one that holds more than white space,
 * or up to more of that than anybody sends. An empty body has an empty one.
 */
export async function peek(body: AsyncIterable<Buffer>): Promise<Peeked> {
  const pieces = body[Symbol.asyncIterator]();
  const begun: Buffer[] = [];
  let beginning = Buffer.alloc(0);
  while (beginning.length < MOST_BLANK_BYTES && BLANK.test(beginning.toString('latin1'))) {
    const next = await pieces.next();
    if (next.done === true) break;
    begun.push(next.value);
    beginning = Buffer.concat([beginning, next.value.subarray(0, MOST_BLANK_BYTES)]);
  }
  return { beginning, body: resumed(begun, pieces) };
}

/** Whether a body that begins so is JSON as a whole: no event of a stream of text does. */
export function isWholeJson(beginning: Buffer): boolean {
  return /^(?:\xef\xbb\xbf)?[ \t\r\n]*[{[]/.test(beginning.toString('latin1'));
}

const MOST_BLANK_BYTES = 1024;

/** White space, behind a byte order mark or a piece of it. */
const BLANK = /^(?:\xef(?:\xbb(?:\xbf)?)?)?[ \t\r\n]*$/;

/** No generator, as each piece of each stream comes through here. */
function resumed(begun: Buffer[], pieces: AsyncIterator<Buffer>): AsyncIterableIterator<Buffer> {
  return {
    next() {
      const value = begun.shift();
      return value ? Promise.resolve({ done: false, value }) : pieces.next();
    },
    async return() {
      await pieces.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
