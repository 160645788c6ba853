import { describe, expect, it } from '@jest/globals';
import { EventStreamCodec, type MessageHeaders } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { type RawEvent } from '../providers/provider.js';
import { eventStreamFrames } from './event-stream-frames.js';

const codec = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
  (text) => Buffer.from(text),
);

function message(headers: Record<string, string>, payload: unknown): Buffer {
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload));
  const strings = Object.entries(headers).map(
    ([name, value]) => [name, { type: 'string' as const, value }] as const,
  );
  return Buffer.from(codec.encode({ headers: Object.fromEntries(strings), body }));
}

function event(name: string, payload: unknown): Buffer {
  return message({ ':event-type': name, ':message-type': 'event' }, payload);
}

function chunk(inner: unknown): Buffer {
  const text = typeof inner === 'string' ? inner : JSON.stringify(inner);
  return event('chunk', { bytes: Buffer.from(text).toString('base64'), p: 'abc' });
}

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

async function read(bytes: Buffer, size = bytes.length): Promise<RawEvent[]> {
  const events: RawEvent[] = [];
  for await (const batch of eventStreamFrames(pieces(bytes, size))) events.push(...batch);
  return events;
}

describe('eventStreamFrames', () => {
  it('names events and exceptions, and gives their payload', async () => {
    const bytes = Buffer.concat([
      event('messageStart', { role: 'assistant' }),
      message(
        { ':message-type': 'exception', ':exception-type': 'throttlingException' },
        { message: 'slow down' },
      ),
      message(
        { ':message-type': 'error', ':error-code': 'InternalError', ':error-message': 'oh "no"' },
        '',
      ),
    ]);
    const events = (await read(bytes)).map(({ name, data }) => [name, JSON.parse(data)]);
    expect(events).toEqual([
      ['messageStart', { role: 'assistant' }],
      ['throttlingException', { message: 'slow down' }],
      ['error', { code: 'InternalError', message: 'oh "no"' }],
    ]);
  });

  it("takes a model's own events out of their chunks, and their frames are server-sent events", async () => {
    const delta = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'é😀' } };
    const [first, second, third] = await read(
      Buffer.concat([chunk(delta), chunk({ outputText: 'old' }), chunk('{"type":\n"a"}')]),
    );
    expect(first?.name).toBe('content_block_delta');
    expect(first?.bytes.toString()).toBe(
      `event: content_block_delta\ndata: ${JSON.stringify(delta)}\n\n`,
    );
    expect(second?.name).toBeUndefined();
    expect(second?.bytes.toString()).toBe('data: {"outputText":"old"}\n\n');
    expect(third?.bytes.toString()).toBe('event: a\ndata: {"type":\ndata: "a"}\n\n');
  });

  it('passes over headers of every type', async () => {
    const headers: MessageHeaders = {
      yes: { type: 'boolean', value: true },
      no: { type: 'boolean', value: false },
      byte: { type: 'byte', value: -1 },
      short: { type: 'short', value: -2 },
      integer: { type: 'integer', value: -3 },
      binary: { type: 'binary', value: Buffer.from('abc') },
      timestamp: { type: 'timestamp', value: new Date(0) },
      uuid: { type: 'uuid', value: '5e3e1f4c-7a39-4a0c-9c4c-0123456789ab' },
      ':event-type': { type: 'string', value: 'metadata' },
    };
    const bytes = Buffer.from(codec.encode({ headers, body: Buffer.from('{}') }));
    expect((await read(bytes)).map(({ name, data }) => [name, data])).toEqual([['metadata', '{}']]);
  });

  it('gives the same events however the stream is split', async () => {
    const payload = fc.record({ text: fc.string({ unit: 'binary' }), index: fc.nat() });
    await fc.assert(
      fc.asyncProperty(
        fc.array(payload, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 200 }),
        async (payloads, size) => {
          const bytes = Buffer.concat(payloads.map((value) => event('contentBlockDelta', value)));
          const seen = (await read(bytes, size)).map(({ data }) => JSON.parse(data) as unknown);
          expect(seen).toEqual(JSON.parse(JSON.stringify(payloads)));
        },
      ),
    );
  });

  it('refuses a stream with any byte changed', async () => {
    const bytes = event('messageStart', { role: 'assistant' });
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const damaged = Buffer.from(bytes);
          damaged.writeUInt8(damaged.readUInt8(at) ^ change, at);
          await expect(read(damaged)).rejects.toMatchObject({ status: 502 });
        },
      ),
    );
  });

  it('does not wait for a message that can never come', async () => {
    async function* endless() {
      // A text where AWS would send a prelude: the length would be more than a gigabyte.
      for (;;) yield await Promise.resolve(Buffer.from('<html><body>proxy error</body></html>'));
    }
    await expect(eventStreamFrames(endless()).next()).rejects.toMatchObject({ status: 502 });
  });

  it.each([
    ['longer than any', 64 * 1024 * 1024, 0],
    ['shorter than its headers', 64, 100],
    ['shorter than itself', 3, 0],
  ])('refuses a message %s, though its checksum is right', async (_, total, headers) => {
    const { crc32 } = await import('node:zlib');
    const prelude = Buffer.alloc(64);
    prelude.writeUInt32BE(total, 0);
    prelude.writeUInt32BE(headers, 4);
    prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
    await expect(read(prelude)).rejects.toMatchObject({ status: 502 });
  });

  it('hands out what came before the damage, and fails at a stream that is cut', async () => {
    const whole = event('messageStart', { role: 'assistant' });
    const damaged = event('messageStop', { stopReason: 'end_turn' });
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1);
    for (const tail of [damaged, damaged.subarray(0, 30), damaged.subarray(0, 5)]) {
      const frames = eventStreamFrames(pieces(Buffer.concat([whole, tail]), 1_000));
      const first = await frames.next();
      expect((first.value as RawEvent[]).map(({ name }) => name)).toEqual(['messageStart']);
      await expect(frames.next()).rejects.toMatchObject({ status: 502 });
    }
  });

  it('lets no name break out of its line', async () => {
    const [only] = await read(event('a\ndata: {}\n\nevent: message_stop', {}));
    expect(only?.bytes.toString()).toBe('data: {}\n\n');
  });
});
