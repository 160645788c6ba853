import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { startSweeping } from './sweep-timer.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('sweeps at once and at every interval, also after a failure, until it is cleared', async () => {
  let sweeps = 0;
  const reasons: unknown[] = [];
  const sweep = async () => {
    sweeps += 1;
    if (sweeps === 2) throw new Error('away');
    await Promise.resolve();
  };
  const timer = startSweeping(1_000, sweep, (reason) => reasons.push(reason));
  expect(sweeps).toBe(1);
  expect(timer.hasRef()).toBe(false);
  await jest.advanceTimersByTimeAsync(999);
  expect(sweeps).toBe(1);
  await jest.advanceTimersByTimeAsync(1_001);
  expect(sweeps).toBe(3);
  expect(reasons).toEqual([new Error('away')]);
  clearInterval(timer);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(sweeps).toBe(3);
});
