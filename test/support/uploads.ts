import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json as jsonOf } from 'node:stream/consumers';
import { API_KEY } from './gateway.js';

/** An answer, with its body parsed. */
export interface UploadAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: any;
}

/** What is uploaded, and with what beside it. */
export interface Upload {
  readonly content: string | Buffer;
  readonly name?: string;
  readonly type?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** Uploads a file the way browsers do. */
export async function upload(
  url: string,
  { content, name = 'file', type = '', fields = {}, key = API_KEY }: Upload,
): Promise<UploadAnswer> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(Buffer.from(content))], name, { type }));
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  return ask(url, 'POST /v3/upload', { body: form, key });
}

/** Asks a route, by default with a good key. */
export async function ask(
  url: string,
  route: string,
  {
    key = API_KEY,
    json,
    body = json === undefined ? undefined : JSON.stringify(json),
    headers = {},
  }: {
    key?: string;
    json?: unknown;
    body?: string | FormData | undefined;
    headers?: Record<string, string>;
  } = {},
): Promise<UploadAnswer> {
  const [method = '', path = ''] = route.split(' ');
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
}

/** Every file under a data directory's uploads, by its path there. */
export function uploadedFiles(dataDir: string): string[] {
  const directory = join(dataDir, 'uploads');
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
    .sort();
}

export const BOUNDARY = 'boundary0123456789';

/** One part of a form, byte for byte. */
export function part(head: string, content: string | Buffer = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

/** The part of a file. */
export function filePart(content: string | Buffer, name = 'a.txt', field = 'file'): Buffer {
  return part(`Content-Disposition: form-data; name="${field}"; filename="${name}"`, content);
}

/** The part of a text. */
export function textPart(name: string, value: string): Buffer {
  return part(`Content-Disposition: form-data; name="${name}"`, value);
}

export const END = Buffer.from(`--${BOUNDARY}--\r\n`);

/** Sends a form byte for byte. */
export async function sendForm(
  url: string,
  parts: readonly Buffer[],
  contentType = `multipart/form-data; boundary=${BOUNDARY}`,
): Promise<UploadAnswer> {
  const response = await fetch(`${url}/v3/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': contentType },
    body: Buffer.concat(parts),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

const PIECE = Buffer.alloc(1 << 20, 'a');

/** An empty part with so many bytes put into it. They are the same memory again and again. */
export function longPart(empty: Buffer, bytes: number): readonly Buffer[] {
  const whole = Array.from({ length: Math.floor(bytes / PIECE.length) }, () => PIECE);
  const rest = PIECE.subarray(0, bytes % PIECE.length);
  return [empty.subarray(0, -2), ...whole, rest, Buffer.from('\r\n')];
}

/** Sends a long form piece by piece: `fetch` would copy all of it several times. */
export async function sendPieces(
  url: string,
  pieces: readonly Buffer[],
): Promise<{ readonly status: number | undefined; readonly body: any }> {
  const request = httpRequest(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${API_KEY}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': pieces.reduce((sum, { length }) => sum + length, 0),
    },
  });
  Readable.from(pieces).pipe(request);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await jsonOf(response) };
}

/** Uploads a file of so many bytes. */
export const uploadLong = (url: string, bytes: number) =>
  sendPieces(`${url}/v3/upload`, [...longPart(filePart(''), bytes), END]);

/** Sends the beginning of an upload, and resolves when it is on its way. */
export async function beginUpload(url: string): Promise<{ text: () => string; close: () => void }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    text += data.toString();
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  const head = [
    'POST /v3/upload HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${API_KEY}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length: 1000000',
    '',
    '',
  ].join('\r\n');
  const part = Buffer.concat([Buffer.from(head), filePart('x'.repeat(20_000)).subarray(0, -2)]);
  await new Promise((resolve) => socket.write(part, resolve));
  return { text: () => text, close: () => socket.destroy() };
}
