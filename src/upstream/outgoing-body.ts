import { randomUUID } from 'node:crypto';
import { GatewayError } from '../contract/gateway-error.js';
import { LARGE_BYTES } from '../json/time-sliced.js';
import { type Written, written } from '../json/written.js';
import { Base64File, type FormPart, type UpstreamBody } from '../providers/upstream-body.js';
import { type OutgoingBody, type StreamedBody } from '../providers/transport.js';

/** A call's body as it is sent, and what it is. */
export interface Outgoing {
  readonly contentType: string;
  readonly body: OutgoingBody;
}

/**
 * The bytes of a call's body; a promise only where they are so many that they are made in time
 * slices. Files in it are read, and turned into base64, only as they are sent; the length is known
 * all the same.
 */
export function outgoingBody(body: UpstreamBody | undefined): Outgoing | Promise<Outgoing> {
  if (!body) return { contentType: JSON_TYPE, body: [] };
  if ('bytes' in body) return { contentType: JSON_TYPE, body: whole(body.bytes) };
  return 'form' in body ? multipart(body.form) : json(body.json);
}

/** What a body is made of: text and bytes as they are, files, and files as base64. */
type Piece = Uint8Array | Blob | Base64File;

const JSON_TYPE = 'application/json';

function json(value: object): Outgoing | Promise<Outgoing> {
  const text = written(value, isFile);
  return text instanceof Promise ? text.then(sentAsJson) : sentAsJson(text);
}

function isFile(value: object): value is Base64File {
  return value instanceof Base64File;
}

function sentAsJson(text: Written<Base64File>): Outgoing {
  const hasNoFile = (pieces: Written<Base64File>): pieces is readonly Buffer[] =>
    !pieces.some(isFile);
  if (hasNoFile(text)) return { contentType: JSON_TYPE, body: whole(text) };
  const pieces = text.flatMap((piece) => (isFile(piece) ? [escaped(piece.prefix), piece] : piece));
  return { contentType: JSON_TYPE, body: streamed(pieces) };
}

function escaped(prefix: string): Buffer {
  return Buffer.from(JSON.stringify(prefix).slice(1, -1));
}

/** https://www.rfc-editor.org/rfc/rfc7578 */
function multipart(parts: readonly FormPart[]): Outgoing {
  const boundary = `causeway-${randomUUID()}`;
  const pieces = parts.flatMap((part): Piece[] => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(part.name)}"`;
    if ('value' in part) return [Buffer.from(`${head}\r\n\r\n${part.value}\r\n`)];
    const type = /^[\w.+-]+\/[\w.+-]+$/.test(part.file.type) ? part.file.type : BINARY;
    const file = `${head}; filename="${quoted(part.fileName)}"\r\ncontent-type: ${type}\r\n\r\n`;
    return [Buffer.from(file), part.file, CRLF];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: streamed([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

const BINARY = 'application/octet-stream';
const CRLF = Buffer.from('\r\n');

/** https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#multipart-form-data */
function quoted(name: string): string {
  return name.replace(/["\r\n]/g, (mark) => encodeURIComponent(mark));
}

/** A large body is not joined, and leaves slice by slice, so that nobody waits for all of it. */
function whole(bytes: readonly Uint8Array[]): OutgoingBody {
  const length = bytes.reduce((sum, piece) => sum + piece.length, 0);
  return length < LARGE_BYTES ? bytes : streamed(bytes);
}

const SLICE_BYTES = 256 * 1024;

function streamed(pieces: readonly Piece[]): StreamedBody {
  const length = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0);
  return { length, pieces: () => read(pieces) };
}

function lengthOf(piece: Piece): number {
  if (piece instanceof Base64File) return Math.ceil(piece.file.size / 3) * 4;
  return piece instanceof Blob ? piece.size : piece.length;
}

async function* read(pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (piece instanceof Base64File) yield* base64(contentOf(piece.file));
    else if (piece instanceof Blob) yield* contentOf(piece);
    else yield* slices(piece);
  }
}

/**
 * The bytes of a file.
 *
 * @throws GatewayError 404 where it is not there any more, as its owner may have deleted it: which is no
 *   failure of the provider, that it would be asked less for.
 */
async function* contentOf(file: Blob): AsyncGenerator<Uint8Array> {
  try {
    yield* file.stream();
  } catch (cause) {
    if (!isUnreadable(cause)) throw cause;
    const message = 'A file of the request cannot be read any more: it may have been deleted.';
    throw new GatewayError(404, 'file_not_found', message, { cause });
  }
}

/** https://nodejs.org/api/fs.html#fsopenasblobpath-options */
function isUnreadable(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'NotReadableError';
}

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    yield bytes.subarray(at, at + SLICE_BYTES);
  }
}

/** Three bytes make four characters, so what is left of a chunk waits for the next one. */
async function* base64(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : asBuffer(chunk);
    const whole = bytes.length - (bytes.length % 3);
    if (whole > 0) yield Buffer.from(bytes.toString('base64', 0, whole), 'latin1');
    rest = Buffer.from(bytes.subarray(whole));
  }
  if (rest.length > 0) yield Buffer.from(rest.toString('base64'), 'latin1');
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
