import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { type Dispatcher, request } from 'undici';
import { type ObjectStore } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { noRoomLeft } from './storage-failure.js';

/** What is asked of an object. */
export type ObjectQuestion =
  | { readonly method: 'DELETE' }
  | { readonly method: 'GET'; readonly signal?: AbortSignal | undefined }
  | {
      readonly method: 'PUT';
      readonly body: ReadStream;
      /** Of the body, in bytes: S3 takes none of unknown length. */
      readonly length: number;
      /** Of the body, in hex: the store refuses bytes that changed on the way. */
      readonly sha256: string;
    };

/**
 * The store's answer about one object, whatever it is; its body has to be read or dumped.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 *
 * @param silenceMs how long the store may take nothing and say nothing.
 * @throws GatewayError 503 when the store cannot be reached, or is silent; the signal's reason when it is
 *   aborted.
 */
export async function askStore(
  { endpoint, bucket, ...keys }: ObjectStore,
  key: string,
  question: ObjectQuestion,
  silenceMs = LONGEST_SILENCE_MS,
): Promise<Dispatcher.ResponseData> {
  const { method } = question;
  const wanted = question.method === 'GET' ? question.signal : undefined;
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const url = `${endpoint.href.replace(/\/$/, '')}/${bucket}/${key}`;
  const content = question.method === 'PUT' ? question.sha256 : NOTHING;
  const headers = { 'x-amz-content-sha256': content };
  const signed = await new AwsV4Signer({ method, url, headers, service: 's3', ...keys }).sign();
  try {
    return await request(signed.url, {
      method,
      headers: {
        ...Object.fromEntries(signed.headers),
        ...(question.method === 'PUT' && { 'content-length': String(question.length) }),
      },
      body: question.method === 'PUT' ? question.body : null,
      signal: wanted ? AbortSignal.any([wanted, patience]) : patience,
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
  } catch (error) {
    if (question.method === 'PUT') question.body.destroy();
    wanted?.throwIfAborted();
    throw storeAway(error);
  }
}

/** An object's bytes. @throws GatewayError 503 when the store breaks off, or falls silent. */
export async function* bytesOf({ body }: Dispatcher.ResponseData): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (error) {
    throw storeAway(error);
  }
}

/**
 * The code of a refusal: `NoSuchKey` where there is no such object. A 404 alone may be of a bucket that is
 * not there, or of some other server, and says nothing of an object.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
export async function codeIn({ body }: Dispatcher.ResponseData): Promise<string | undefined> {
  const [, code] = /<Code>(\w{1,100})<\/Code>/.exec(await body.text().catch(() => '')) ?? [];
  return code;
}

/** The error for a status that the store should not have answered, with the code beside it. */
export function storeFailure(status: number, code = 'no code'): GatewayError {
  const cause = new Error(`The object store answered ${status}, ${code}`);
  return status === 507 ? noRoomLeft(cause) : storeAway(cause);
}

/** The error for an object of which not all came: without a length a connection that breaks looks like its end. */
export function cutShort(given: number, size: number): GatewayError {
  return storeAway(new Error(`The object store gave ${given} of ${size} bytes`));
}

/** The SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** Enough for the largest file at 3 Mbit/s, and less than abandoned files are given. */
const PATIENCE_MS = 300_000;
/** As long as an upload may be silent. */
const LONGEST_SILENCE_MS = 30_000;
/** The SHA-256 of no bytes. */
const NOTHING = createHash('sha256').digest('hex');

function storeAway(cause: unknown): GatewayError {
  const message = 'The gateway cannot reach its store of files.';
  return new GatewayError(503, 'provider_unavailable', message, { retryAfter: 1, cause });
}
