import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { EventStreamCodec } from '@smithy/eventstream-codec';
import { type Framing } from '../providers/provider.js';
import { frames } from './frames.js';

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
});
