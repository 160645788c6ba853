import { describe, expect, it } from '@jest/globals';
import { RefusalDelay } from './refusal-delay.js';

describe('RefusalDelay', () => {
  const after = (looks: number, busy: number, delay = new RefusalDelay()) => {
    for (let look = 0; look < looks; look++) delay.see({ isLimited: true, busy, lateMs: 5 });
    return delay;
  };

  it('grows while the process is busy, and stays below what a refusal may take', () => {
    expect([after(1, 0.9).ms, after(50, 0.9).ms]).toEqual([5, 20]);
  });

  it('leaves out what the event loop is late by', () => {
    const delay = after(50, 0.9);
    delay.see({ isLimited: true, busy: 0.9, lateMs: 25 });
    expect(delay.ms).toBe(10);
    delay.see({ isLimited: true, busy: 0.9, lateMs: 60 });
    expect(delay.ms).toBe(0);
  });

  it('shrinks when the process has time, and ends when there is no limit', () => {
    const delay = after(50, 0.9);
    expect(after(10, 0.3, delay).ms).toBe(10);
    delay.see({ isLimited: false, busy: 1, lateMs: 5 });
    expect(delay.ms).toBe(0);
  });
});
