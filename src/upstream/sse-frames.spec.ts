import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jsonIn } from '../providers/dialects/broken-event.js';
import { sseFrames } from './sse-frames.js';

async function* pieces(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) {
    yield await Promise.resolve(text.subarray(at, at + size));
  }
}

async function read(text: string, size = text.length || 1) {
  const events: [string | undefined, string][] = [];
  for await (const batch of sseFrames(pieces(Buffer.from(text), size))) {
    for (const event of batch) events.push([event.name, event.data]);
  }
  return events;
}

describe('sseFrames', () => {
  it('reads names and data with LF and CRLF, and skips comments and a byte order mark', async () => {
    const text =
      '\ufeffevent: a\ndata: 1\n\n: ping\n\nevent:b\r\ndata:{"x":\r\ndata: 2}\r\n\r\ndata: [DONE]\n\n';
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await read(text, size)).toEqual([
        ['a', '1'],
        ['b', '{"x":\n2}'],
        [undefined, '[DONE]'],
      ]);
    }
  });

  it('reads lines that end with CR alone, or each in another way', async () => {
    const wanted = [
      ['a', '1'],
      ['b', '2\n3'],
      [undefined, '{"x":4}'],
    ];
    const lines = 'event: a|data: 1||: ping||event:b|data: 2|data: 3||data: {"x":4}||';
    for (const ends of [['\r'], ['\r', '\r\n'], ['\r\n', '\r']]) {
      let index = 0;
      const text = lines.replaceAll('|', () => ends[index++ % ends.length]!);
      for (const size of [1, 2, 3, 7, 1000]) expect(await read(text, size)).toEqual(wanted);
    }
  });

  it('gives an event at once whose blank line ends with CR', async () => {
    async function* pausing() {
      yield Buffer.from('data: 1\r\r');
      await new Promise(() => undefined);
    }
    const { value } = await sseFrames(pausing()).next();
    expect(value).toMatchObject([{ data: '1' }]);
  });

  it('parses an event once, however many ask what it says', async () => {
    for await (const [event] of sseFrames(pieces(Buffer.from('data: {"a":[1]}\n\n'), 100))) {
      expect(jsonIn(event!)).toEqual({ a: [1] });
      expect(jsonIn(event!)).toBe(jsonIn(event!));
    }
    expect.assertions(2);
  });

  it('takes the name that all events have for none', async () => {
    expect(await read('event: message\ndata: 1\n\nevent:\ndata: 2\n\n')).toEqual([
      [undefined, '1'],
      [undefined, '2'],
    ]);
  });

  it('joins lines of data, and passes over other fields', async () => {
    const fields = 'id: 7\nretry: 1\nevent: a\ndata: 1\ndata: 2\n\n';
    expect(await read(`${fields}data: 3\nid: 8\n\nevent: c\nid: 9\ndata: 4\n\n`)).toEqual([
      ['a', '1\n2'],
      [undefined, '3'],
      ['c', '4'],
    ]);
    expect(await read('event: d\n\ndata: 5\r\n\r\ndata:  6\n\n')).toEqual([
      ['d', ''],
      [undefined, '5'],
      [undefined, ' 6'],
    ]);
  });

  it('closes a last event that lacks its blank line and drops one that is cut', async () => {
    expect(await read('data: {"a":1}\n')).toEqual([[undefined, '{"a":1}']]);
    expect(await read('data: {"a":1}')).toEqual([[undefined, '{"a":1}']]);
    expect(await read('data: {"a":1}\n\ndata: {"b":')).toEqual([[undefined, '{"a":1}']]);
  });

  it('gives the same bytes however the stream is split', async () => {
    const text = 'event: a\ndata: "é😀"\n\ndata: [1]\n\nevent: c\ndata: {}\n\n';
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 80 }), async (size) => {
        const seen: Buffer[] = [];
        for await (const batch of sseFrames(pieces(Buffer.from(text), size))) {
          seen.push(...batch.map((event) => event.bytes));
        }
        expect(Buffer.concat(seen).toString()).toBe(text);
      }),
    );
  });

  it('gives up on an event without an end', async () => {
    async function* endless() {
      const chunk = Buffer.alloc(1 << 20, 0x61);
      for (;;) yield await Promise.resolve(chunk);
    }
    await expect(sseFrames(endless()).next()).rejects.toThrow('without an end');
  });
});
