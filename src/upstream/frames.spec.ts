import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { Readable } from 'node:stream';
import { type Framing } from '../providers/provider.js';
import { frames } from './frames.js';
import { verdictOf } from './verdict.js';

const MB = 1024 * 1024;
const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
);

/** An event with this JSON as it stands on the wire. */
const WIRE: readonly (readonly [Framing, (json: string) => Buffer])[] = [
  ['sse', (json) => Buffer.from(`data: ${json}\n\n`)],
  ['ndjson', (json) => Buffer.from(`${json}\n`)],
  [
    'aws-event-stream',
    (json) => {
      const headers = {
        ':message-type': { type: 'string' as const, value: 'event' },
        ':event-type': { type: 'string' as const, value: 'delta' },
      };
      return Buffer.from(codec.encode({ headers, body: Buffer.from(json) }));
    },
  ],
];

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

async function read(framing: Framing, bytes: Buffer, size = 65_536): Promise<string[]> {
  const seen: string[] = [];
  for await (const batch of frames(framing, pieces(bytes, size))) {
    seen.push(...batch.map(({ data }) => data));
  }
  return seen;
}

describe.each(WIRE)('an event of %s', (framing, onWire) => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('that comes byte by byte is kept as a few pieces', async () => {
    const json = JSON.stringify({ a: 'x'.repeat(50_000) });
    const concat = jest.spyOn(Buffer, 'concat');
    expect(await read(framing, onWire(json), 1)).toEqual([json]);
    expect(concat.mock.calls.filter(([list]) => list.length > 2_000)).toHaveLength(0);
  });

  it('that is long is read', async () => {
    const json = JSON.stringify({ image: 'x'.repeat(20 * MB), numbers: Array(100_000).fill(0) });
    expect((await read(framing, onWire(json))).map(({ length }) => length)).toEqual([json.length]);
  });

  it('counts once with the most that waits for an end, and not at all where it is short', async () => {
    const kept = async (...events: string[]): Promise<number> => {
      let bytes = 0;
      const body = Buffer.concat(events.map((text) => onWire(JSON.stringify(text))));
      const hold = (more: number): void => void (bytes += more);
      await Readable.from(frames(framing, pieces(body, 1_000), hold)).toArray();
      return bytes;
    };
    const long = 'x'.repeat(MB);
    expect(await kept(long, long)).toBeGreaterThan(0.9 * MB);
    expect(await kept(long, long)).toBeLessThan(1.1 * MB);
    expect(await kept(...Array.from({ length: 200 }, () => 'x'.repeat(10_000)))).toBe(0);
  });

  it.each([
    ['brackets', `[${'[],'.repeat(2_000_000)}0]`],
    ['levels', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['members', `{${'"a":0,'.repeat(100_000)}"a":0}`],
  ])('with more %s than any has is a broken answer, which nobody parses', async (_, json) => {
    const parse = jest.spyOn(JSON, 'parse');
    const reading = read(framing, onWire(json));
    await expect(reading).rejects.toMatchObject({
      status: 502,
      code: 'upstream_error',
      message: 'The provider sent an event with too much in it.',
    });
    expect(parse).not.toHaveBeenCalled();
    // A request may ask for as much.
    expect(verdictOf(await reading.catch((error: unknown) => error))).toBe('refuses');
  });
});

it.each(['sse', 'ndjson'] as const)(
  'an event that is longer than it may be is no word against its model (%s)',
  async (framing) => {
    const reading = read(framing, Buffer.alloc(33 * MB, 'a'));
    await expect(reading).rejects.toMatchObject({ status: 502 });
    expect(verdictOf(await reading.catch((error: unknown) => error))).toBe('refuses');
  },
);

it('an event of more lines than any has is a broken answer', async () => {
  for (const line of ['data: 1\n', 'd\n', ':\n']) {
    const text = `data: 0\n${line.repeat(200_000)}\n`;
    await expect(read('sse', Buffer.from(text))).rejects.toMatchObject({ status: 502 });
  }
});
