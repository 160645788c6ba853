import { describe, expect, it } from '@jest/globals';
import { doneTogether } from './done-together.js';

describe('doneTogether', () => {
  it('does once what many ask for while it runs, and tells all what is so after they asked', async () => {
    let now = 0;
    let runs = 0;
    const { promise: going, resolve: go } = Promise.withResolvers<undefined>();
    const ask = doneTogether(async () => {
      runs += 1;
      const seen = now;
      if (runs === 1) await going;
      return seen;
    });
    const first = ask();
    await new Promise(setImmediate);
    now = 1;
    const others = Array.from({ length: 50 }, () => ask());
    go(undefined);
    expect(await first).toBe(0);
    expect(new Set(await Promise.all(others))).toEqual(new Set([1]));
    expect(runs).toBe(2);
  });

  it('leaves most of the time to others, however many ask', async () => {
    let worked = 0;
    const ask = doneTogether(() => {
      const begunAt = performance.now();
      while (performance.now() < begunAt + 5);
      worked += performance.now() - begunAt;
      return Promise.resolve();
    });
    const startedAt = performance.now();
    const asker = async (): Promise<void> => {
      for (let count = 0; count < 10; count += 1) await ask();
    };
    await Promise.all(Array.from({ length: 20 }, asker));
    expect(worked / (performance.now() - startedAt)).toBeLessThan(0.2);
  });

  it('goes on after what failed', async () => {
    let runs = 0;
    const ask = doneTogether(() => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('once')) : Promise.resolve(runs);
    });
    await expect(ask()).rejects.toThrow('once');
    expect(await ask()).toBe(2);
  });
});
