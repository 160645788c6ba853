import busboy from 'busboy';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Fields } from '../json/values.js';
import { Refusal } from './refusal.js';

const NUMBERS = new Set(['n', 'partial_images', 'output_compression']);
const HEAD_BYTES = 16;

/** What the sandbox keeps of a file: enough to tell what it is, and from every other. */
export class SourceFile {
  constructor(
    readonly head: Buffer,
    readonly digest: Buffer,
  ) {}

  static of(bytes: Buffer): SourceFile {
    const digest = createHash('sha256').update(bytes).digest();
    return new SourceFile(bytes.subarray(0, HEAD_BYTES), digest);
  }
}

/**
 * A multipart form as the JSON body that asks for the same: text parts become fields, the files in
 * `image`, `image[]` or `image[0]` become `images`. Files are read, but not kept.
 *
 * @throws Refusal 400 if the bytes are no such form.
 */
export async function readForm(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  contentType: string,
): Promise<Fields> {
  const images: SourceFile[] = [];
  const fields: [string, unknown][] = [['images', images]];
  const reading: Promise<void>[] = [];
  try {
    const form = busboy({ headers: { 'content-type': contentType } });
    form.on('field', (name, value) => fields.push([name, fieldOf(name, value)]));
    form.on('file', (name, stream) => {
      const read = sourceIn(stream).then((file) => {
        if (/^image(\[\d*\])?$/.test(name)) images.push(file);
        else fields.push([name, file]);
      });
      // It fails together with the form.
      read.catch(() => undefined);
      reading.push(read);
    });
    await pipeline(Readable.from(pieces, { objectMode: false }), form);
    await Promise.all(reading);
  } catch {
    throw new Refusal(400, 'The body is not a multipart form.');
  }
  return Object.fromEntries(fields);
}

async function sourceIn(stream: AsyncIterable<Buffer>): Promise<SourceFile> {
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  for await (const chunk of stream) {
    hash.update(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES)]);
  }
  return new SourceFile(head, hash.digest());
}

function fieldOf(name: string, text: string): unknown {
  if (NUMBERS.has(name)) return Number(text);
  return name === 'stream' ? text === 'true' : text;
}
