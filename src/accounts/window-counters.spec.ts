import { describe, expect, it } from '@jest/globals';
import { WindowCounters } from './window-counters.js';

function countersAt(now: number) {
  const clock = { now };
  return { clock, counters: new WindowCounters(() => clock.now) };
}

const hit = { windowMs: 2500, limit: 2, hits: 1 } as const;

describe('WindowCounters', () => {
  it('blocks beyond the limit until the window ends', () => {
    const { clock, counters } = countersAt(100);
    expect(counters.count('a', hit)).toEqual({
      totalHits: 1,
      timeToExpire: 3,
      isBlocked: false,
      timeToBlockExpire: 0,
    });
    counters.count('a', hit);
    clock.now = 1700;
    expect(counters.count('a', hit)).toEqual({
      totalHits: 3,
      timeToExpire: 1,
      isBlocked: true,
      timeToBlockExpire: 1,
    });
    clock.now = 2599;
    expect(counters.count('a', hit).isBlocked).toBe(true);
    clock.now = 2600;
    expect(counters.count('a', hit).totalHits).toBe(1);
  });

  it('counts every key alone', () => {
    const { counters } = countersAt(0);
    counters.count('a', hit);
    expect(counters.count('b', hit).totalHits).toBe(1);
  });

  it('opens no window for a look', () => {
    const { clock, counters } = countersAt(0);
    expect(counters.count('a', { ...hit, hits: 0 }).totalHits).toBe(0);
    clock.now = 2000;
    counters.count('a', hit);
    clock.now = 4000;
    expect(counters.count('a', { ...hit, hits: 0 }).totalHits).toBe(1);
  });

  it('forgets windows that have ended', () => {
    const { clock, counters } = countersAt(0);
    const { windows } = counters as unknown as { windows: Map<string, unknown> };
    for (let index = 0; index < 100_000; index += 1) {
      clock.now = index;
      counters.count(`address ${index}`, hit);
    }
    expect(windows.size).toBeLessThan(15_000);
  });
});
