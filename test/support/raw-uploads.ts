import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { API_KEY } from './gateway.js';
import { BOUNDARY, filePart } from './uploads.js';

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

/** Uploads a file of so many bytes from one small buffer, and resolves with the status. */
export async function uploadRepeated(url: string, bytes: number): Promise<number> {
  const piece = Buffer.alloc(64 * 1024, 'abcdefg ');
  const [head, end] = [filePart('').subarray(0, -2), Buffer.from(`\r\n--${BOUNDARY}--\r\n`)];
  const request = httpRequest(`${url}/v3/upload`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${API_KEY}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + bytes + end.length,
    },
  });
  const answered = once(request, 'response') as Promise<[IncomingMessage]>;
  const pieces = Array<Buffer>(bytes / piece.length).fill(piece);
  await pipeline(Readable.from([head, ...pieces, end]), request);
  const [answer] = await answered;
  answer.resume();
  return answer.statusCode ?? 0;
}
