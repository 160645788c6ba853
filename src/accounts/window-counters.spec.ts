import { describe, expect, it } from '@jest/globals';
import { WindowCounters } from './window-counters.js';

function countersAt(now: number) {
  const clock = { now };
  return { clock, counters: new WindowCounters(() => clock.now) };
}

describe('WindowCounters', () => {
  it('counts from the first hit to the end of the window', () => {
    const { clock, counters } = countersAt(100);
    expect(counters.add('a', 2500, 1)).toEqual({ used: 1, msLeft: 2500 });
    clock.now = 1700;
    expect(counters.add('a', 2500, 5)).toEqual({ used: 6, msLeft: 900 });
    clock.now = 2599;
    expect(counters.look('a', 2500)).toEqual({ used: 6, msLeft: 1 });
    clock.now = 2600;
    expect(counters.add('a', 2500, 1)).toEqual({ used: 1, msLeft: 2500 });
  });

  it('counts every name alone', () => {
    const { counters } = countersAt(0);
    counters.add('a', 2500, 1);
    expect(counters.add('b', 2500, 1).used).toBe(1);
  });

  it('opens no window for a look', () => {
    const { clock, counters } = countersAt(0);
    expect(counters.look('a', 2500)).toEqual({ used: 0, msLeft: 2500 });
    clock.now = 2000;
    counters.add('a', 2500, 1);
    clock.now = 4000;
    expect(counters.look('a', 2500)).toEqual({ used: 1, msLeft: 500 });
  });

  it('goes on from a window that was counted elsewhere', () => {
    const { clock, counters } = countersAt(0);
    counters.add('a', 2500, 1);
    counters.set('a', { used: 40, msLeft: 300 });
    clock.now = 299;
    expect(counters.add('a', 2500, 1)).toEqual({ used: 41, msLeft: 1 });
    clock.now = 300;
    expect(counters.look('a', 2500).used).toBe(0);
  });

  it('forgets windows that have ended', () => {
    const { clock, counters } = countersAt(0);
    const { windows } = counters as unknown as { windows: Map<string, unknown> };
    for (let index = 0; index < 100_000; index += 1) {
      clock.now = index;
      counters.add(`address ${index}`, 2500, 1);
    }
    expect(windows.size).toBeLessThan(15_000);
  });
});
