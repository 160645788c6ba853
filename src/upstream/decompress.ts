import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type GatewayError } from '../contract/gateway-error.js';
import { brokenAnswer } from '../providers/dialects/broken-answer.js';
import { type IncomingAnswer } from '../providers/transport.js';

/**
 * The body without its content encoding. Providers are asked not to compress; one that does so all
 * the same is understood, but not a chain of encodings. Reading throws GatewayError 502 for an unknown
 * encoding and for broken data; the status and the headers count all the same.
 */
export function decompressed({ headers, body }: IncomingAnswer): AsyncIterable<Buffer> {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (PLAIN.has(encoding)) return body;
  const decoder = DECODERS.get(encoding);
  if (!decoder) return unreadable(body, encoding);
  return inflate(body, decoder());
}

/** No encoding, also by names that some servers make up for that. */
const PLAIN = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);

/**
 * A piece costs a round of the event loop, which takes its time while that has much to do: of Node's
 * 16 kB an answer of 64 MB takes four thousand. https://nodejs.org/api/zlib.html#class-options
 */
const PIECE = { chunkSize: 128 * 1024 };

/** No object, which would know `constructor`, too: the name is the provider's. */
const DECODERS = new Map<string, () => Decoder>([
  ['gzip', () => createGunzip(PIECE)],
  ['x-gzip', () => createGunzip(PIECE)],
  ['deflate', () => createInflate(PIECE)],
  ['br', () => createBrotliDecompress(PIECE)],
]);

type Decoder = ReturnType<
  typeof createGunzip | typeof createInflate | typeof createBrotliDecompress
>;

/** A body that gives nothing but the error; reading it frees the connection. */
function unreadable(body: AsyncIterable<Buffer>, encoding: string): AsyncIterable<Buffer> {
  const next = async (): Promise<never> => {
    await body[Symbol.asyncIterator]().return?.();
    throw broken(new Error(`content-encoding ${encoding}`));
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** Leaving it leaves the body at once, also while a piece of that is waited for; so does what is broken. */
function inflate(body: AsyncIterable<Buffer>, decoder: Decoder): AsyncIterableIterator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  const inflated = inflating({ [Symbol.asyncIterator]: () => pieces }, decoder);
  return {
    next: () =>
      inflated.next().catch(async (error: unknown) => {
        await pieces.return?.();
        throw error;
      }),
    async return() {
      decoder.destroy();
      await pieces.return?.();
      return inflated.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* inflating(body: AsyncIterable<Buffer>, decoder: Decoder): AsyncGenerator<Buffer> {
  let readError: Error | undefined;
  const source = Readable.from(
    (async function* () {
      try {
        yield* body;
      } catch (error) {
        readError = error instanceof Error ? error : new Error(String(error));
        throw error;
      }
    })(),
  );
  source.on('error', (error) => decoder.destroy(error));
  try {
    yield* source.pipe(decoder) as AsyncIterable<Buffer>;
  } catch (error) {
    throw readError ?? broken(error);
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

function broken(cause: unknown): GatewayError {
  return brokenAnswer('The provider sent an answer that is broken.', { cause });
}
