import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { type Codec, type UpstreamCall, type UpstreamReply } from '../providers/provider.js';
import { type Call } from './call.js';
import { type Exchange } from './exchange.js';
import { finalReply, type Question, toldWait } from './later-answer.js';

const codec: Codec<'images'> = {
  encode: () => [],
  decode: () => {
    throw new Error('not asked for');
  },
  next: ({ bytes }, _call, asked) => {
    const said = bytes.toString();
    if (said === 'same') return asked;
    return said === 'done' ? undefined : { method: 'GET', path: `/${said}`, framing: 'none' };
  },
  cancel: ({ bytes }) => ({ path: `/cancel/${bytes.toString()}`, framing: 'none' }),
};

const replyOf = (said: string, headers: UpstreamReply['headers'] = {}): UpstreamReply => ({
  status: 200,
  headers,
  bytes: Buffer.from(said),
  json: () => said,
});

/** A provider that says these things, one a call, and keeps silent then. */
function asking(answers: readonly (string | Error)[]) {
  const end = new AbortController();
  const calls: { path: string; at: number }[] = [];
  const stopped: string[] = [];
  const left = [...answers];
  const exchange = {
    open: ({ ends }: Call, _target: unknown, { path }: UpstreamCall) => {
      calls.push({ path, at: performance.now() });
      const said = left.shift();
      if (said instanceof Error) return Promise.reject(said);
      if (said === undefined) {
        return new Promise((_resolve, reject) => {
          ends.addEventListener('abort', () => {
            reject(ends.reason as Error);
          });
        });
      }

      const body = (async function* () {
        yield Buffer.from(said);
      })();
      return Promise.resolve({ status: 200, headers: {}, body });
    },
    stop: (_call: Call, _target: unknown, { path }: UpstreamCall) => {
      stopped.push(path);
      return Promise.resolve();
    },
  } as unknown as Exchange;
  const question = {
    call: { ends: end.signal },
    target: { model: { provider: 'slow' } },
    codec,
  } as unknown as Question<'images'>;
  const run = (first: UpstreamReply) => finalReply(exchange, first, question);
  return { run, calls, stopped, end };
}

// Each waits for most of its time, and has a provider of its own.
describe('an answer that comes later', () => {
  it.concurrent('is the first one where that is complete', async () => {
    const { run, calls } = asking([]);
    expect((await run(replyOf('done'))).bytes.toString()).toBe('done');
    expect(calls).toEqual([]);
  });

  it.concurrent('is asked for until it is there, less and less often', async () => {
    const { run, calls, stopped } = asking(['b', 'c', 'done']);
    const startedAt = performance.now();
    expect((await run(replyOf('a'))).bytes.toString()).toBe('done');
    expect(calls.map(({ path }) => path)).toEqual(['/a', '/b', '/c']);
    const waits = calls.map(({ at }, index) => at - (calls[index - 1]?.at ?? startedAt));
    expect(waits[0]).toBeGreaterThan(230);
    expect(waits[0]).toBeLessThan(1_000);
    expect(waits[1]).toBeGreaterThan(350);
    expect(waits[2]).toBeGreaterThan(530);
    expect(stopped).toEqual([]);
  });

  it.concurrent(
    'is asked for as before where the provider says only that it is not there',
    async () => {
      const { run, calls } = asking(['same', 'done']);
      await run(replyOf('a'));
      expect(calls.map(({ path }) => path)).toEqual(['/a', '/a']);
    },
  );

  it.concurrent('is asked for when the provider says so', async () => {
    const { run, calls } = asking(['done']);
    const startedAt = performance.now();
    await run(replyOf('a', { 'retry-after': '1' }));
    expect((calls[0]?.at ?? 0) - startedAt).toBeGreaterThan(950);
  });

  const moments: [string, Record<string, string>][] = [
    ['between two askings', { 'retry-after': '60' }],
    ['while it is being asked for', {}],
  ];

  it.concurrent.each(moments)(
    'is stopped when nobody waits any more %s',
    async (_when, headers) => {
      const { run, stopped, end } = asking([]);
      setTimeout(() => {
        end.abort(new Error('gone'));
      }, 400);
      await expect(run(replyOf('a', headers))).rejects.toThrow('gone');
      expect(stopped).toEqual(['/cancel/a']);
    },
  );

  it.concurrent.each([0, 408, 425, 429, 500, 503])(
    'is asked for again where asking fails with %i',
    async (status) => {
      const failure = new GatewayError(502, 'upstream_error', 'no', { upstream: { status } });
      const { run, calls, stopped } = asking([failure, failure, 'done']);
      expect((await run(replyOf('a'))).bytes.toString()).toBe('done');
      expect(calls.map(({ path }) => path)).toEqual(['/a', '/a', '/a']);
      expect(stopped).toEqual([]);
    },
  );

  it.concurrent('is asked for again where there is nothing, or a page, in its place', async () => {
    const { run, calls, stopped } = asking(['', '\n<html>', 'done']);
    expect((await run(replyOf('a'))).bytes.toString()).toBe('done');
    expect(calls.map(({ path }) => path)).toEqual(['/a', '/a', '/a']);
    expect(stopped).toEqual([]);
  });

  it.concurrent('is stopped where there is never more than a page in its place', async () => {
    const { run, calls, stopped } = asking(Array<string>(5).fill('<html>'));
    await expect(run(replyOf('a'))).rejects.toMatchObject({
      ...{ status: 502, details: { upstream: { status: 200, unsent: false } } },
    });
    expect([calls.length, stopped]).toEqual([4, ['/cancel/a']]);
  });

  it.concurrent.each([
    [404, 1],
    [503, 4],
  ])('is begun no second time when asking goes on failing with %i', async (status, times) => {
    const failure = new GatewayError(502, 'upstream_error', 'no', {
      upstream: { status, unsent: true },
    });
    const { run, calls, stopped } = asking(Array<Error>(5).fill(failure));
    await expect(run(replyOf('a'))).rejects.toMatchObject({
      details: { upstream: { status, unsent: false } },
    });
    expect([calls.length, stopped]).toEqual([times, ['/cancel/a']]);
  });

  it.concurrent.each([
    [404, 'model_not_found', 1],
    [410, 'invalid_request', 1],
    [425, 'invalid_request', 4],
  ] as const)(
    'is the provider’s fault where it is missing, as by %i',
    async (status, code, times) => {
      const failure = new GatewayError(404, code, 'Task not found', { upstream: { status } });
      const { run, calls, stopped } = asking(Array<Error>(5).fill(failure));
      await expect(run(replyOf('a'))).rejects.toMatchObject({
        ...{ status: 502, code: 'upstream_error' },
        message: 'The provider slow does not give out what it began: Task not found',
      });
      expect([calls.length, stopped]).toEqual([times, ['/cancel/a']]);
    },
  );

  it.concurrent('is given up when asking fails', async () => {
    const { run, stopped } = asking([new Error('refused')]);
    await expect(run(replyOf('a'))).rejects.toThrow('refused');
    expect(stopped).toEqual(['/cancel/a']);
  });
});

describe('toldWait', () => {
  it.each([
    ['nothing', undefined, 700],
    ['some seconds', 7, 7_000],
    ['no time', 0, 250],
    ['an hour', 3_600, 30_000],
  ])('is what the provider says, within reason: %s', (_, seconds, waitMs) => {
    expect(toldWait(seconds, 700)).toBe(waitMs);
  });
});
