import { describe, expect, it } from '@jest/globals';
import { GatewayError, type UpstreamFault } from '../contract/gateway-error.js';
import { Retries } from './retries.js';

const failure = (upstream: UpstreamFault | undefined, retryAfter?: number): GatewayError =>
  new GatewayError(502, 'upstream_error', 'No.', {
    ...(upstream && { upstream }),
    ...(retryAfter !== undefined && { retryAfter }),
  });

const elapsedMs = 0;
const patience = { firstByteMs: 60_000, totalMs: 90_000 };
const retriesWith = (random?: () => number) => new Retries(patience, random);

describe('Retries', () => {
  it.each([
    ['a connection that was never made', failure({ status: 0, unsent: true })],
    ['too many requests', failure({ status: 429 })],
    ['unavailable', failure({ status: 503 })],
    ['overloaded', failure({ status: 529 })],
  ])('asks again after %s', async (_, error) => {
    const retries = retriesWith(() => 0.5);
    expect(await retries.waitBefore(error, 0, 'p', { elapsedMs })).toBe(125);
    expect(await retries.waitBefore(error, 1, 'p', { elapsedMs })).toBe(250);
    expect(await retries.waitBefore(error, 2, 'p', { elapsedMs })).toBeUndefined();
  });

  it.each([
    ['a connection that broke when the request had been sent', failure({ status: 0 })],
    ['an internal error, which may have been billed', failure({ status: 500 })],
    ['a bad gateway', failure({ status: 502 })],
    ['a time limit', failure({ status: 504 })],
    ['a refusal', failure({ status: 400 })],
    ['what will fail again', failure({ status: 429, isFinal: true })],
    ['an account without money', failure({ status: 429, refusesKey: true })],
    ['an answer that is broken', failure({ status: 200 })],
    ['a refusal of our own', failure(undefined)],
    ['a fault', new Error('bug')],
  ])('does not ask again after %s', async (_, error) => {
    expect(await retriesWith().waitBefore(error, 0, 'p', { elapsedMs })).toBeUndefined();
  });

  it('waits as long as the provider asks, where the call can still begin in time', async () => {
    const retries = retriesWith(() => 0);
    const wait = (status: number, retryAfter: number, elapsed = elapsedMs) =>
      retries.waitBefore(failure({ status }, retryAfter), 0, 'p', { elapsedMs: elapsed });
    expect(await Promise.all([wait(429, 1), wait(503, 29)])).toEqual([1_000, 29_000]);
    expect(await Promise.all([wait(429, 30), wait(503, 1, 59_100)])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('has those who were told the same moment come one after another', async () => {
    const wait = (random: number) =>
      retriesWith(() => random).waitBefore(failure({ status: 429 }, 2), 1, 'p', { elapsedMs });
    expect(await Promise.all([wait(0), wait(0.5), wait(0.9)])).toEqual([2_000, 2_250, 2_450]);
  });

  it('asks no other key after a refusal of what has begun already', async () => {
    const error = failure({ status: 401, unsent: false });
    const prospects = { elapsedMs: 0, hasAnother: true };
    expect(await retriesWith(() => 0).waitBefore(error, 0, 'p', prospects)).toBeUndefined();
  });

  it.each([401, 402, 403, 429])(
    'asks another key at once after %i, whatever else is left',
    async (status) => {
      const retries = retriesWith();
      const error = failure({ status }, 60);
      const wait = (hasAnother: boolean) =>
        retries.waitBefore(error, 9, 'p', {
          elapsedMs,
          hasAnother,
          movesOn: () => Promise.resolve(true),
        });
      expect(await Promise.all([wait(true), wait(false)])).toEqual([0, undefined]);
    },
  );

  it('gives back what moves have cost that work, however often all keys were refused', async () => {
    const retries = retriesWith();
    const limit = failure({ status: 429 }, 60);
    for (let cycle = 0; cycle < 20; cycle++) {
      await retries.waitBefore(limit, 0, 'p', { elapsedMs });
      let count = 0;
      const countRetry = () => (count += 1);
      expect(
        await retries.waitBefore(limit, 0, 'p', { elapsedMs, hasAnother: true, countRetry }),
      ).toBe(0);
      expect(count).toBe(1);
      retries.succeed('p', count);
    }
  });

  it('asks another address at once when one cannot be reached, whatever else is left', async () => {
    const error = failure({ status: 0, unsent: true });
    const wait = (hasAnother: boolean) =>
      retriesWith().waitBefore(error, 9, 'p', {
        elapsedMs,
        hasAnother,
        movesOn: () => Promise.resolve(true),
      });
    expect(await Promise.all([wait(true), wait(false)])).toEqual([0, undefined]);
  });

  it('does not have another key or address wait for what one has asked for', async () => {
    const wait = (status: number, hasAnother: boolean) =>
      retriesWith(() => 0.5).waitBefore(failure({ status }, 300), 0, 'p', {
        elapsedMs,
        hasAnother,
      });
    for (const status of [503, 529]) {
      expect(await Promise.all([wait(status, true), wait(status, false)])).toEqual([
        125,
        undefined,
      ]);
    }
  });

  it('asks another deployment all the same after one that says no for itself', async () => {
    const wait = (upstream: UpstreamFault) =>
      retriesWith(() => 0.5).waitBefore(failure(upstream), 0, 'p', { elapsedMs, hasAnother: true });
    expect(await wait({ status: 529, isFinal: true })).toBe(125);
    expect(await wait({ status: 429, isFinal: true })).toBe(0);
    expect(await wait({ status: 429, refusesKey: true })).toBe(0);
  });

  it('leaves what is not about the key to the next model', async () => {
    const retries = retriesWith(() => 0);
    const wait = (movesOn: boolean) =>
      retries.waitBefore(failure({ status: 503 }), 0, 'p', {
        elapsedMs,
        hasAnother: true,
        movesOn: () => Promise.resolve(movesOn),
      });
    expect(await Promise.all([wait(true), wait(false)])).toEqual([undefined, 0]);
  });

  it.each([20, 21, 30, 50, 100, 1_000])(
    'makes at most 1.2 calls a request when all of %i fail',
    async (requests) => {
      const retries = retriesWith(() => 0);
      let calls = 0;
      for (let index = 0; index < requests; index++) {
        retries.begin('p');
        let tries = 0;
        do calls++;
        while (
          (await retries.waitBefore(failure({ status: 503 }), tries++, 'p', { elapsedMs })) !==
          undefined
        );
      }
      expect(calls / requests).toBeLessThanOrEqual(1.2);
      expect(calls).toBeGreaterThan(requests);
    },
  );

  it('makes every retry of a provider that answers at the third try each time', async () => {
    const retries = retriesWith(() => 0.5);
    const error = failure({ status: 503 });
    for (let request = 0; request < 50; request++) {
      retries.begin('p');
      expect(await retries.waitBefore(error, 0, 'p', { elapsedMs })).toBe(125);
      expect(await retries.waitBefore(error, 1, 'p', { elapsedMs })).toBe(250);
      retries.succeed('p', 2);
    }
  });

  it('saves no more for a provider that works than for one that is new', async () => {
    const retries = retriesWith();
    const inVain = async (provider: string): Promise<number> => {
      let count = 0;
      while (
        (await retries.waitBefore(failure({ status: 503 }), 0, provider, { elapsedMs })) !==
        undefined
      )
        count++;
      return count;
    };
    for (let request = 0; request < 50; request++) retries.succeed('p', 2);
    expect(await inVain('p')).toBe(await inVain('new'));
  });

  it.each([401, 404, 429])(
    'makes at most 1.2 calls a request when all of five keys say %i',
    async (status) => {
      const retries = retriesWith(() => 0);
      let calls = 0;
      for (let request = 0; request < 100; request++) {
        retries.begin('p');
        let tries = 0;
        const again = () =>
          retries.waitBefore(failure({ status }), tries, 'p', {
            elapsedMs,
            hasAnother: ++tries < 5,
          });
        do calls++;
        while ((await again()) !== undefined);
      }
      expect(calls).toBeLessThanOrEqual(120);
    },
  );

  it('asks other keys at once again when a call has worked', async () => {
    const retries = retriesWith();
    const wait = (hasAnother: boolean) =>
      retries.waitBefore(failure({ status: 401 }), 0, 'p', { elapsedMs, hasAnother });
    await wait(false);
    while ((await wait(true)) !== undefined);
    retries.succeed('p');
    expect(await Promise.all(Array.from({ length: 10 }, () => wait(true)))).toEqual(
      Array(10).fill(0),
    );
  });

  it('has a budget for each provider', async () => {
    const retries = retriesWith(() => 0);
    const spent = async (provider: string): Promise<boolean> =>
      (await retries.waitBefore(failure({ status: 503 }), 0, provider, { elapsedMs })) ===
      undefined;
    while (!(await spent('one')));
    expect(await spent('other')).toBe(false);
  });
});
