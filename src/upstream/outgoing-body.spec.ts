import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openAsBlob } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Base64File, type UpstreamBody } from '../providers/upstream-body.js';
import { outgoingBody } from './outgoing-body.js';

async function sent(given: UpstreamBody) {
  const { contentType, body } = await outgoingBody(given);
  const chunks: Uint8Array[] = [];
  for await (const chunk of 'pieces' in body ? body.pieces() : body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const length = 'pieces' in body ? body.length : bytes.length;
  return { contentType, bytes, length, largest: Math.max(...chunks.map((chunk) => chunk.length)) };
}

const parsed = ({ bytes, contentType }: { bytes: Buffer; contentType: string }) =>
  new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();

describe('the body of a call', () => {
  it('is the JSON that JSON.stringify makes, where it holds no file', async () => {
    const json = { a: [1, 'ö', null], b: { c: undefined, d: true } };
    const { bytes, contentType } = await sent({ json });
    expect(bytes.toString()).toBe(JSON.stringify(json));
    expect(contentType).toBe('application/json');
  });

  it('holds files as base64, whatever their length, and knows its own before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 4 }), { maxLength: 4 }),
        fc.string({ unit: 'binary' }),
        async (files, text) => {
          // A blob of several parts comes in several chunks, none of them a multiple of three.
          const blobs = files.map((parts) => new Blob(parts.map((part) => new Uint8Array(part))));
          const body = {
            text,
            images: blobs.map((blob) => ({ url: new Base64File(blob, 'data:"\\;base64,') })),
            last: 1,
          };
          const { bytes, length } = await sent({ json: body });
          expect(length).toBe(bytes.length);
          expect(JSON.parse(bytes.toString())).toEqual({
            text: Buffer.from(text).toString(),
            images: files.map((parts) => ({
              url: `data:"\\;base64,${Buffer.concat(parts).toString('base64')}`,
            })),
            last: 1,
          });
        },
      ),
    );
  });

  it('is a form that a parser reads back', async () => {
    const name = 'a "quoted"\r\nname.png';
    const file = new Blob([new Uint8Array([0, 13, 10, 45, 45, 255])], { type: 'image/png' });
    const body = await sent({
      form: [
        { name: 'prompt', value: 'zwei\r\nZeilen ö' },
        { name: 'image[]', file, fileName: name },
        { name: 'image[]', file: new Blob([]), fileName: 'empty' },
      ],
    });
    expect(body.length).toBe(body.bytes.length);
    const form = await parsed(body);
    expect(form.get('prompt')).toBe('zwei\r\nZeilen ö');
    const [one, other] = form.getAll('image[]') as File[];
    expect(one).toMatchObject({ type: 'image/png', size: 6 });
    expect(other).toMatchObject({ type: 'application/octet-stream', size: 0 });
    expect(new Uint8Array(await one!.arrayBuffer())).toEqual(
      new Uint8Array([0, 13, 10, 45, 45, 255]),
    );
  });

  it('lets no name or value end its part', async () => {
    const form = await parsed(
      await sent({
        form: [{ name: 'a"; filename="x', value: '\r\n--boundary\r\n' }],
      }),
    );
    expect([...form.keys()]).toEqual(['a"; filename="x']);
  });

  it('reads a file on the disk piece by piece, and anew for each try', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'causeway-test-'));
    const path = join(directory, 'file');
    await writeFile(path, Buffer.alloc(3_000_001, 'x'));
    const json = { image: new Base64File(await openAsBlob(path)) };
    const first = await sent({ json });
    expect(first.largest).toBeLessThan(500_000);
    expect(first.length).toBe(first.bytes.length);
    const { body } = await outgoingBody({ json });
    if (!('pieces' in body)) throw new Error('not streamed');
    for (const round of [1, 2]) {
      let length = 0;
      for await (const piece of body.pieces()) length += piece.length;
      expect([round, length]).toEqual([round, first.length]);
    }
    await rm(directory, { recursive: true });
  });

  it.each([
    ['as a part of a form', (file: Blob) => ({ form: [{ name: 'image', file, fileName: 'a' }] })],
    ['as base64', (file: Blob) => ({ json: { image: new Base64File(file) } })],
  ])('blames no provider for a file that was deleted meanwhile (%s)', async (_, bodyOf) => {
    const directory = await mkdtemp(join(tmpdir(), 'causeway-test-'));
    await writeFile(join(directory, 'file'), 'x');
    const body = bodyOf(await openAsBlob(join(directory, 'file')));
    await rm(directory, { recursive: true });
    const error = await sent(body).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ status: 404, code: 'file_not_found' });
    expect(error).not.toHaveProperty('details.upstream');
  });

  it('leaves in slices when it is large, and as it is when it is not', async () => {
    const large = [Buffer.alloc(700_000, 'a'), Buffer.from('é'), Buffer.alloc(700_000, 'b')];
    for (const given of [{ bytes: large }, { json: { text: 'é'.repeat(700_000) } }]) {
      const { bytes, length, largest } = await sent(given);
      expect(length).toBe(bytes.length);
      expect(largest).toBeLessThan(500_000);
      const whole =
        'bytes' in given ? Buffer.concat(large) : Buffer.from(JSON.stringify(given.json));
      expect(bytes.equals(whole)).toBe(true);
    }
    const small = [Buffer.from('{"a"'), Buffer.from(':1}')];
    expect(outgoingBody({ bytes: small })).toMatchObject({ body: small });
  });
});
