import { describe, expect, it } from '@jest/globals';
import { RefusalDelay } from './refusal-delay.js';

describe('RefusalDelay', () => {
  const after = (
    looks: number,
    busy: number,
    { delay = new RefusalDelay(), refused = 100 } = {},
  ) => {
    for (let look = 0; look < looks; look++)
      delay.see({ limited: true, busy, refused, ended: 100 });
    return delay;
  };

  it('grows while the process is busy, and stays below what a refusal may take', () => {
    expect([after(1, 0.9).ms, after(50, 0.9).ms]).toEqual([5, 35]);
  });

  it('grows further where callers come again at once, and not when they stop', () => {
    const delay = after(50, 0.9, { refused: 301 });
    expect(delay.ms).toBe(500);
    expect(after(50, 0.9, { delay }).ms).toBe(35);
  });

  it('shrinks when the process has time, and ends when there is no limit', () => {
    const delay = after(50, 0.9);
    expect(after(1, 0.3, { delay }).ms).toBeCloseTo(33.25);
    expect(after(200, 0.3, { delay }).ms).toBe(0);
    after(9, 0.9, { delay }).see({ limited: false, busy: 1, refused: 0, ended: 0 });
    expect(delay.ms).toBe(0);
  });
});
