import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { type First, firstSuccess } from './first-success.js';

const upstream = (status: number) =>
  new GatewayError(status, 'upstream_error', `failed ${status}`, { upstream: { status } });

const unable = new GatewayError(400, 'invalid_request', 'no documents', {
  upstream: { status: 0 },
});
const threadless = new GatewayError(400, 'invalid_request', 'no thread', {
  upstream: { status: 0, details: { error_code: 'thread_unsupported_request' } },
});
const failing = new GatewayError(503, 'provider_unavailable', 'is failing', {
  upstream: { status: 503, circuit: 'open' },
});

const ROUTED = { isNamed: false, beginsThread: false };

async function run(outcomes: (Error | string)[], isSettled = false, first?: First) {
  const tried: number[] = [];
  const result = await firstSuccess(
    outcomes.map((_, index) => index),
    (index) => {
      tried.push(index);
      const outcome = outcomes[index]!;
      return typeof outcome === 'string' ? Promise.resolve(outcome) : Promise.reject(outcome);
    },
    { isSettled },
    first,
  ).catch((error: Error) => error.message);
  return { result, tried };
}

describe('firstSuccess', () => {
  it('stops at the first success', async () => {
    expect(await run([upstream(502), 'b', 'c'])).toEqual({ result: 'b', tried: [0, 1] });
  });

  it('is no success where there is nothing to try', async () => {
    expect((await run([])).result).toBe('a plan names at least one model');
  });

  it.each([400, 404, 409, 429, 502, 504, 529])('moves on after an upstream %i', async (status) => {
    expect((await run([upstream(status), 'b'])).result).toBe('b');
  });

  it('moves on when a model cannot take the request', async () => {
    expect((await run([unable, 'b'])).result).toBe('b');
  });

  it('passes over a fallback that costs more than there is, but not the model itself', async () => {
    const dear = new GatewayError(402, 'insufficient_credits', 'costs too much');
    expect(await run([upstream(500), dear, 'c'])).toEqual({ result: 'c', tried: [0, 1, 2] });
    expect((await run([upstream(500), dear, upstream(529)])).result).toBe('failed 529');
    expect((await run([upstream(500), dear])).result).toBe('failed 500');
    expect((await run([failing, dear])).result).toBe('is failing');
    expect((await run([unable, dear, unable])).result).toBe('costs too much');
    expect(await run([dear, 'b'])).toEqual({ result: 'costs too much', tried: [0] });
    expect(await run([dear, 'b'], false, ROUTED)).toEqual({ result: 'b', tried: [0, 1] });
    expect((await run([dear, dear], false, ROUTED)).result).toBe('costs too much');
  });

  it('passes over what takes no thread, but not the model that was named', async () => {
    expect(await run([threadless, 'b'])).toEqual({ result: 'no thread', tried: [0] });
    expect(await run([upstream(500), threadless, 'c'])).toEqual({ result: 'c', tried: [0, 1, 2] });
    expect(await run([threadless, 'b'], false, ROUTED)).toEqual({ result: 'b', tried: [0, 1] });
  });

  it('passes over no first choice for a thread that only begins', async () => {
    const first = { isNamed: false, beginsThread: true };
    expect(await run([threadless, 'b'], false, first)).toEqual({ result: 'no thread', tried: [0] });
    const tried = [0, 1, 2];
    expect(await run([unable, threadless, 'c'], false, first)).toEqual({ result: 'c', tried });
  });

  it.each(['thread_not_found', 'thread_already_continued', 'thread_continue_in_flight'])(
    'gives up on a thread that only its caller can begin anew: %s',
    async (error_code) => {
      const lost = new GatewayError(404, 'model_not_found', 'lost', {
        upstream: { status: 404, details: { error_code } },
      });
      expect(await run([lost, 'b'])).toEqual({ result: 'lost', tried: [0] });
      expect(await run([threadless, lost, 'c'], false, ROUTED)).toEqual({
        result: 'lost',
        tried: [0, 1],
      });
    },
  );

  it('gives up on what no other model could mend', async () => {
    const tooLarge = upstream(413);
    const ours = new GatewayError(503, 'provider_unavailable', 'database away');
    const bug = new TypeError('x is not a function');
    for (const error of [tooLarge, ours, bug]) {
      expect(await run([error, 'b'])).toEqual({ result: error.message, tried: [0] });
    }
  });

  it('gives up when the call was settled', async () => {
    expect(await run([upstream(502), 'b'], true)).toEqual({ result: 'failed 502', tried: [0] });
  });

  it.each([
    ['the last one that was asked', [upstream(500), unable, failing], 'failed 500'],
    ['one that takes no thread', [upstream(500), threadless, unable], 'no thread'],
    ['the last one of several', [upstream(429), upstream(500), unable], 'failed 500'],
    ['one that is not called at the moment', [unable, failing, unable], 'is failing'],
    [
      'the last one, where none can take it',
      [unable, new GatewayError(400, 'invalid_request', 'no tools')],
      'no tools',
    ],
  ])('fails with the error of %s', async (_, outcomes, message) => {
    const tried = outcomes.map((_outcome, index) => index);
    expect(await run(outcomes)).toEqual({ result: message, tried });
  });

  describe('where the last one will fail again', () => {
    const final = (status: number) =>
      new GatewayError(status, 'rate_limit_exceeded', `never ${status}`, {
        retryAfter: 2,
        upstream: { status, code: 'insufficient_quota', isFinal: true },
      });
    const told = async (outcomes: Error[]) => {
      const failing = firstSuccess(outcomes, (error) => Promise.reject(error), {
        isSettled: false,
      });
      return ((await failing.catch((error: unknown) => error)) as GatewayError).details;
    };

    it.each([
      ['has failed for now', upstream(500)],
      ['has a limit', upstream(429)],
      ['has a conflict', upstream(409)],
      ['is not called at the moment', failing],
    ])('may be asked again for one that %s', async (_, before) => {
      expect(await told([before, final(429)])).toEqual({
        retryAfter: 2,
        upstream: { status: 429, code: 'insufficient_quota', isFinal: false },
      });
    });

    it.each([
      ['cannot take the request', unable],
      ['will fail again as well', final(500)],
    ])('is not to be asked again for one that %s', async (_, before) => {
      expect(await told([before, final(429)])).toMatchObject({ upstream: { isFinal: true } });
      expect(await told([final(429)])).toMatchObject({ upstream: { isFinal: true } });
    });
  });

  it('fails with the last error when all fail', async () => {
    expect(await run([upstream(502), upstream(504)])).toEqual({
      result: 'failed 504',
      tried: [0, 1],
    });
  });
});
