import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ndjsonFrames } from './ndjson-frames.js';

async function* pieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) {
    yield await Promise.resolve(text.subarray(at, at + size));
  }
}

async function read(text: string, size = text.length || 1): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of ndjsonFrames(pieces(Buffer.from(text), size))) {
    lines.push(...batch.map(({ data }) => data));
  }
  return lines;
}

describe('ndjsonFrames', () => {
  it('reads lines that end in LF or CRLF, and skips empty ones and a byte order mark', async () => {
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await read('\ufeff{"a":1}\r\n\n{"b":"é😀"}\n', size)).toEqual([
        '{"a":1}',
        '{"b":"é😀"}',
      ]);
    }
  });

  it('takes a whole last line without its end and drops one that is cut', async () => {
    expect(await read('{"a":1}\n{"b":2}')).toEqual(['{"a":1}', '{"b":2}']);
    expect(await read('{"a":1}\n{"b":')).toEqual(['{"a":1}']);
    expect(await read('')).toEqual([]);
  });

  it('gives the same lines however the stream is split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.json({ maxDepth: 2 }), { maxLength: 8 }),
        fc.integer({ min: 1, max: 40 }),
        async (lines, size) => {
          const sent = lines.map((line) => line.trim()).filter((line) => line !== '');
          expect(await read(sent.join('\n'), size)).toEqual(sent);
        },
      ),
    );
  });

  it('gives up on a line without an end', async () => {
    async function* endless() {
      const chunk = Buffer.alloc(1 << 20, 0x61);
      for (;;) yield await Promise.resolve(chunk);
    }
    await expect(ndjsonFrames(endless()).next()).rejects.toThrow('without an end');
  });
});
