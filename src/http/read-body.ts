import { type IncomingMessage } from 'node:http';
import { type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { GatewayError } from '../contract/gateway-error.js';
import { joined } from '../json/joined.js';
import { cutOff } from './discard-rest.js';
import { type MemoryLease } from './gateway-request.js';
import { Pieces } from './pieces.js';

type LeasedRequest = IncomingMessage & { readonly lease?: MemoryLease };

/**
 * The bytes of a request's body, decompressed. The request's memory grows with them.
 *
 * @throws GatewayError 413 when they are more than `limit`, on the wire or decompressed; 415 for a
 *   content encoding that is not known; 400 when they cannot be decompressed or end too early; 408
 *   when they take longer than a minute; 503 when there is no memory for them.
 */
export async function readBody(request: LeasedRequest, limit: number): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decompressor = DECOMPRESSORS.get(encoding);
  if (!decompressor) throw cutOff(request, unknownEncoding());
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared > limit) throw cutOff(request, tooLarge(limit));
  const bytes = await whole(await collect(request, limit));
  if (bytes.length === 0 || decompressor === 'none') return bytes;
  return decompressed(bytes, decompressor({ chunkSize: pieceBytes(bytes.length) }), {
    limit,
    lease: request.lease,
  });
}

const DECOMPRESSORS = new Map<string, 'none' | ((options: { chunkSize: number }) => Transform)>([
  ['', 'none'],
  ['identity', 'none'],
  ['gzip', createGunzip],
  // Its old name: https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1.3
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/**
 * How much is decompressed in one round of the event loop, which takes its time while that has much to
 * do; no more for a short body, which keeps all of its piece.
 */
function pieceBytes(length: number): number {
  return Math.min(Math.max(4 * length, 16 * 1024), 256 * 1024);
}

/** Stops at the limit, so a bomb costs no more than an honest body of that size. */
async function decompressed(
  bytes: Buffer,
  decompressor: Transform,
  { limit, lease }: { limit: number; lease: MemoryLease | undefined },
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  decompressor.end(bytes);
  try {
    for await (const chunk of decompressor as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      lease?.forBody(size);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw new GatewayError(400, 'invalid_request', 'The request body cannot be decompressed.');
  }
  return whole(chunks);
}

/** The chunks as one; a single one is not copied. */
async function whole(chunks: readonly Buffer[]): Promise<Buffer> {
  const [first] = chunks;
  if (chunks.length === 1 && first) return first;
  const size = chunks.reduce((sum, { length }) => sum + length, 0);
  return joined(chunks, size);
}

/** The body as it comes in, not joined yet. */
function collect(request: LeasedRequest, limit: number): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const declared = request.headers['content-length'];
    const pieces = new Pieces(declared === undefined ? undefined : Number(declared));
    let size = 0;
    const stop = (): void => {
      clearTimeout(late);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const fail = (error: Error): void => {
      stop();
      reject(error);
    };
    const late = setTimeout(() => {
      fail(cutOff(request, tooLate()));
    }, MOST_MS);
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      pieces.add(chunk);
      if (size > limit) {
        fail(cutOff(request, tooLarge(limit)));
        return;
      }
      try {
        request.lease?.forBody(size);
      } catch (error) {
        fail(error as Error);
      }
    };
    const onEnd = (): void => {
      stop();
      resolve(pieces.all());
    };
    const onClose = (): void => {
      fail(new GatewayError(400, 'invalid_request', 'The request body ended too early.'));
    };
    if (request.destroyed) onClose();
    else request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

const MOST_MS = 60_000;

function tooLate(): GatewayError {
  const message = 'The request body did not come in within a minute.';
  return new GatewayError(408, 'request_timeout', message);
}

function tooLarge(limit: number): GatewayError {
  const message = `The request body is larger than ${limit} bytes.`;
  return new GatewayError(413, 'request_too_large', message);
}

function unknownEncoding(): GatewayError {
  return new GatewayError(
    415,
    'unsupported_media_type',
    'The content encoding is not supported; send gzip, deflate, br or none.',
  );
}
