import { expect } from '@jest/globals';
import { type Asked } from './admin.js';
import { type Received } from './fake-upstream.js';
import { API_KEY } from './gateway.js';
import { until } from './until.js';

const IHDR = 'iVBORw0KGgoAAAANSUhEUg';

/** The beginning of a PNG of this size, with some bytes behind it; no decoder would take it. */
export function png(width: number, height: number, more: Uint8Array = new Uint8Array(16)): Buffer {
  const header = Buffer.alloc(33);
  Buffer.from(IHDR, 'base64').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([header, more]);
}

/** The beginning of a JPEG of this size. */
export function jpeg(width: number, height: number): Buffer {
  const frame = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, ...Array(9).fill(0)]);
  frame.writeUInt16BE(height, 7);
  frame.writeUInt16BE(width, 9);
  return frame;
}

export function dataUrl(bytes: Buffer, type = 'image/png'): string {
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** A part of a form: its value is a text, or a file's bytes with its name and type. */
export type Part = readonly [name: string, value: string | Buffer, file?: string, type?: string];
/** What `fetch` sends. */
export type Sendable = NonNullable<NonNullable<Parameters<typeof fetch>[1]>['body']>;

export function formOf(...parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value, file = 'picture.png', type = 'image/png'] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, new Blob([new Uint8Array(value)], { type }), file);
  }
  return form;
}

/** Sends an edit; what comes back is JSON, whatever the status. */
export async function postEdit(
  url: string,
  body: Sendable,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: any }> {
  const response = await fetch(`${url}/v3/images/edits`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The form that arrived at a provider. */
export function formIn({ bytes, headers }: Received): Promise<FormData> {
  const type = headers['content-type'] ?? '';
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
}

/** A file of a form as it arrived: its bytes, name and type. */
export async function fileIn(value: unknown) {
  const file = value as File;
  return { bytes: Buffer.from(await file.arrayBuffer()), name: file.name, type: file.type };
}

/** Asks for images in a request of that id, and leaves once something has happened. */
export async function leaveImages(
  { begin }: Pick<Asked, 'begin'>,
  id: string,
  body: object,
  happened: () => boolean,
): Promise<void> {
  const leaving = new AbortController();
  const asked = begin('POST /v3/images/generations', body, {
    key: API_KEY,
    headers: { 'x-request-id': id },
    signal: leaving.signal,
  });
  asked.catch(() => undefined);
  await until(happened);
  leaving.abort();
  await expect(asked).rejects.toThrow();
}
