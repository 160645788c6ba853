import { type IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { GatewayError } from '../contract/gateway-error.js';
import { discardRest } from './discard-rest.js';

/**
 * The bytes of a request's body, decompressed.
 *
 * @throws GatewayError 413 when they are more than `limit`, on the wire or decompressed; 415 for a
 *   content encoding that is not known; 400 when they cannot be decompressed or end too early; 408
 *   when they take longer than a minute.
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decompress = DECOMPRESS.get(encoding);
  if (!decompress) throw unknownEncoding();
  if (Number(request.headers['content-length'] ?? 0) > limit) throw cutOff(request, limit);
  const bytes = await collect(request, limit);
  return bytes.length === 0 ? bytes : decompress(bytes, limit);
}

type Decompress = (bytes: Buffer, limit: number) => Buffer | Promise<Buffer>;

const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map([
  ['', (bytes: Buffer) => bytes],
  ['identity', (bytes: Buffer) => bytes],
  ['gzip', within(promisify(gunzip))],
  ['deflate', within(promisify(inflate))],
  ['br', within(promisify(brotliDecompress))],
]);

/** Stops at the limit, so a bomb costs no more than an honest body of that size. */
function within(
  inflated: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>,
): Decompress {
  return async (bytes, limit) => {
    try {
      return await inflated(bytes, { maxOutputLength: limit });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
      throw new GatewayError(400, 'invalid_request', 'The request body cannot be decompressed.');
    }
  };
}

function collect(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const late = setTimeout(() => {
      stop();
      reject(tooLate(request));
    }, MOST_MS);
    const stop = (): void => {
      clearTimeout(late);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      stop();
      reject(cutOff(request, limit));
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, size));
    };
    const onClose = (): void => {
      stop();
      reject(new GatewayError(400, 'invalid_request', 'The request body ended too early.'));
    };
    if (request.destroyed) onClose();
    else request.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

/** Gives up on a body that is not read to its end. */
function cutOff(request: IncomingMessage, limit: number): GatewayError {
  discardRest(request);
  return tooLarge(limit, { close: true });
}

const MOST_MS = 60_000;

function tooLate(request: IncomingMessage): GatewayError {
  discardRest(request);
  const message = 'The request body did not come in within a minute.';
  return new GatewayError(408, 'request_timeout', message, { close: true });
}

function tooLarge(limit: number, details: { close?: true } = {}): GatewayError {
  const message = `The request body is larger than ${limit} bytes.`;
  return new GatewayError(413, 'request_too_large', message, details);
}

function unknownEncoding(): GatewayError {
  return new GatewayError(
    415,
    'unsupported_media_type',
    'The content encoding is not supported; send gzip, deflate, br or none.',
    { close: true },
  );
}
