import { describe, expect, it } from '@jest/globals';
import { type GatewayError } from '../contract/gateway-error.js';
import { type Codec, type UpstreamCall, type UpstreamReply } from '../providers/provider.js';
import { type Call } from './call.js';
import { type Exchange } from './exchange.js';
import { finalReply, type Question } from './later-answer.js';

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
function asking(answers: readonly (string | Error)[], { withinMs = 60_000 } = {}) {
  const hangUp = new AbortController();
  const calls: { path: string; at: number }[] = [];
  const stopped: string[] = [];
  const left = [...answers];
  const exchange = {
    open: (_call: Call, _target: unknown, { path }: UpstreamCall, signal: AbortSignal) => {
      calls.push({ path, at: performance.now() });
      const said = left.shift();
      if (said instanceof Error) return Promise.reject(said);
      if (said === undefined) {
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reject(signal.reason as Error);
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
    call: { context: { signal: hangUp.signal } },
    codec,
    deadline: performance.now() + withinMs,
  } as unknown as Question<'images'>;
  const run = (first: UpstreamReply) => finalReply(exchange, first, question);
  return { run, calls, stopped, hangUp };
}

describe('an answer that comes later', () => {
  it('is the first one where that is complete', async () => {
    const { run, calls } = asking([]);
    expect((await run(replyOf('done'))).bytes.toString()).toBe('done');
    expect(calls).toEqual([]);
  });

  it('is asked for until it is there, less and less often', async () => {
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

  it('is asked for as before where the provider says only that it is not there', async () => {
    const { run, calls } = asking(['same', 'done']);
    await run(replyOf('a'));
    expect(calls.map(({ path }) => path)).toEqual(['/a', '/a']);
  });

  it('is asked for when the provider says so', async () => {
    const { run, calls } = asking(['done']);
    const startedAt = performance.now();
    await run(replyOf('a', { 'retry-after': '1' }));
    expect((calls[0]?.at ?? 0) - startedAt).toBeGreaterThan(950);
  });

  it.each([
    ['between two askings', ['a'], { 'retry-after': '60' }],
    ['while it is being asked for', [], {}],
  ])('is stopped when the time is over %s', async (_when, answers, headers) => {
    const { run, stopped } = asking(answers, { withinMs: 600 });
    const startedAt = performance.now();
    await expect(run(replyOf('a', headers))).rejects.toMatchObject({
      status: 504,
      code: 'upstream_timeout',
    } satisfies Partial<GatewayError>);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
    expect(stopped).toEqual(['/cancel/a']);
  });

  it.each([
    ['between two askings', { 'retry-after': '60' }],
    ['while it is being asked for', {}],
  ])('is stopped when the caller hangs up %s', async (_when, headers) => {
    const { run, stopped, hangUp } = asking([]);
    setTimeout(() => {
      hangUp.abort(new Error('gone'));
    }, 400);
    await expect(run(replyOf('a', headers))).rejects.toThrow('gone');
    expect(stopped).toEqual(['/cancel/a']);
  });

  it('is given up when asking fails', async () => {
    const { run, stopped } = asking([new Error('refused')]);
    await expect(run(replyOf('a'))).rejects.toThrow('refused');
    expect(stopped).toEqual(['/cancel/a']);
  });
});
