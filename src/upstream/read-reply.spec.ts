import { describe, expect, it, jest } from '@jest/globals';
import { type IncomingAnswer } from '../providers/transport.js';
import { jsonReply, parsedInSlices, parsedReply, readRefusal, readReply } from './read-reply.js';
import { verdictOf } from './verdict.js';

const PIECE = 64 * 1024;

function answer(pieces: readonly Buffer[], headers: IncomingAnswer['headers']): IncomingAnswer {
  return {
    status: 200,
    headers,
    body: (async function* () {
      await Promise.resolve();
      yield* pieces;
    })(),
  };
}

describe('readReply', () => {
  const pieces = Array.from({ length: 5 }, (_, index) => Buffer.alloc(PIECE, index + 1));
  const whole = Buffer.concat(pieces);

  it.each([
    ['says how long it is', { 'content-length': String(whole.length) }],
    ['does not say it', {}],
    ['was announced as shorter', { 'content-length': String(3 * PIECE - 1) }],
    ['was announced as longer', { 'content-length': String(whole.length + 1) }],
    ['was compressed', { 'content-encoding': 'gzip', 'content-length': String(2 * PIECE) }],
    ['was announced as endless', { 'content-length': '1e12' }],
    ['has a length that is none', { 'content-length': 'much' }],
  ])('gives the bytes of an answer that %s', async (_, headers) => {
    expect((await readReply(answer(pieces, headers))).bytes.equals(whole)).toBe(true);
  });

  it.each([{}, { 'content-length': String(whole.length) }])(
    'gives up on an answer that is longer than it may be (%j)',
    async (headers) => {
      const reading = readReply(answer(pieces, headers), undefined, PIECE);
      await expect(reading).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
      // A request may ask for as much.
      expect(verdictOf(await reading.catch((error: unknown) => error))).toBe('refuses');
    },
  );

  it('keeps no piece of an answer that says how long it is', async () => {
    const { bytes } = await readReply(answer(pieces, { 'content-length': String(whole.length) }));
    pieces[0]?.fill(9);
    expect(bytes[0]).toBe(1);
    expect(bytes.buffer.byteLength).toBe(whole.length);
  });

  it.each([{}, { 'content-length': String(whole.length) }])(
    'gives the memory of a large answer back when told to (%j)',
    async (headers) => {
      const reply = await readReply(answer(pieces, headers));
      reply.free?.();
      expect(reply.bytes).toHaveLength(0);
      expect(await readReply(answer(pieces.slice(0, 1), {}))).not.toHaveProperty('free');
    },
  );

  /** The memory that was taken meanwhile and is still there: how long each piece of it is. */
  const kept = async (read: () => Promise<unknown>) => {
    const taken = jest.spyOn(Buffer, 'allocUnsafeSlow');
    await read();
    const lengths = taken.mock.results.map(({ value }) => (value as Buffer).length);
    taken.mockRestore();
    expect(lengths.length).toBeGreaterThan(0);
    return lengths.filter((length) => length > 0);
  };

  it.each([{}, { 'content-length': '10000000' }])(
    'gives the memory of an answer that is cut back at once (%j)',
    async (headers) => {
      const body = () =>
        (async function* () {
          yield* pieces;
          throw await Promise.resolve(new Error('cut'));
        })();
      const cut = () =>
        expect(readReply({ status: 200, headers, body: body() })).rejects.toThrow('cut');
      expect(await kept(cut)).toEqual([]);
    },
  );

  it('keeps one copy of an answer that takes several blocks', async () => {
    const many = Array.from({ length: 150 }, (_, index) => Buffer.alloc(PIECE, index));
    const read = async () => {
      const { bytes } = await readReply(answer(many, {}));
      expect(bytes.equals(Buffer.concat(many))).toBe(true);
    };
    expect(await kept(read)).toEqual([150 * PIECE]);
  });
});

describe('jsonReply', () => {
  it('keeps of a large reply nothing but its JSON', async () => {
    const value = { data: [{ embedding: Array.from({ length: 200_000 }, (_, at) => at / 7) }] };
    const text = Buffer.from(JSON.stringify(value));
    const reply = await readReply(answer([text], {}));
    const { bytes, json } = await jsonReply(reply);
    expect(json()).toEqual(value);
    expect([bytes.length, reply.bytes.length]).toEqual([0, 0]);
  });

  it('leaves a small one, and one that is no JSON, as it is', async () => {
    for (const text of ['{"a":1}', 'x'.repeat(2 * 1024 * 1024)]) {
      const reply = await jsonReply(await readReply(answer([Buffer.from(text)], {})));
      expect(reply.bytes.toString()).toBe(text);
    }
  });
});

describe('a large answer', () => {
  const padding = `"padding":"${'x'.repeat(1024 * 1024)}"`;
  const reply = (inside: string) => readReply(answer([Buffer.from(`{${padding},${inside}}`)], {}));

  it.each([
    ['nests deeper', `"a":${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['has more arrays', `"a":[${'[],'.repeat(5_000_000)}0]`],
    ['has more members', Array.from({ length: 100_000 }, (_, at) => `"${at}":0`).join(',')],
  ])('that %s than any has is none, and is not parsed', async (_, inside) => {
    const parse = jest.spyOn(JSON, 'parse');
    const whole = await reply(inside);
    const refused = { status: 502, code: 'upstream_error' };
    await expect(parsedReply(whole)).rejects.toMatchObject(refused);
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(whole.bytes.length / 4);
  });

  it('that is no JSON is not parsed a second time', async () => {
    const whole = await reply('oops');
    expect(await parsedInSlices(whole)).toBeNull();
    const { bytes, json } = await parsedReply(whole);
    expect(bytes).toBe(whole.bytes);
    const parse = jest.spyOn(JSON, 'parse');
    expect(json).toThrow(SyntaxError);
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });
});

describe('readRefusal', () => {
  const headers = { 'retry-after': '7' };
  const refusal = (body: IncomingAnswer['body']) => readRefusal({ status: 429, headers, body });

  it('gives a refusal with its bytes', async () => {
    const { body } = answer([Buffer.from('{"a":1}')], {});
    expect((await refusal(body)).json()).toEqual({ a: 1 });
  });

  it('does not wait for the end of one that hangs, and leaves it', async () => {
    const left = Promise.withResolvers<undefined>();
    const pieces = [{ done: false as const, value: Buffer.from('Your key sk-12') }];
    const hanging: AsyncIterator<Buffer> = {
      next: async () => pieces.pop() ?? (await new Promise<never>(() => undefined)),
      return: async () => {
        left.resolve(undefined);
        return await new Promise<never>(() => undefined);
      },
    };
    const body = { [Symbol.asyncIterator]: () => hanging };
    const reply = await readRefusal({ status: 429, headers, body }, 5);
    expect(reply).toMatchObject({ status: 429, headers, bytes: Buffer.alloc(0) });
    await left.promise;
  });

  it('gives what is known of one that breaks off, and of one that is too long', async () => {
    async function* broken() {
      yield await Promise.resolve(Buffer.from('Your key sk-12'));
      throw new Error('reset');
    }
    const endless = answer(
      Array.from({ length: 17 }, () => Buffer.alloc(PIECE)),
      {},
    );
    for (const body of [broken(), endless.body]) {
      const reply = await refusal(body);
      expect(reply).toMatchObject({ status: 429, headers, bytes: Buffer.alloc(0) });
      expect(() => reply.json()).toThrow(SyntaxError);
    }
  });
});
