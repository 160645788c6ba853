import { describe, expect, it } from '@jest/globals';
import { RecentCalls } from './recent-calls.js';

const recent = (counts: Record<string, number>): RecentCalls => {
  const calls = new RecentCalls();
  for (const [account, count] of Object.entries(counts)) {
    for (let call = 0; call < count; call++) calls.add(account);
  }
  return calls;
};

describe('RecentCalls', () => {
  it.each([
    [{}, false],
    [{ a: 1_000 }, false],
    [{ a: 1_000, b: 1 }, true],
    [{ a: 80, b: 20 }, false],
    [{ a: 81, b: 10, c: 9 }, true],
  ])('of %j are of one account: %s', (counts, expected) => {
    expect(recent(counts).areOfOne).toBe(expected);
  });

  it('counts a period beyond its end, and not longer', () => {
    const calls = recent({ a: 100, b: 1 });
    calls.turn();
    expect(calls.areOfOne).toBe(true);
    calls.add('a');
    calls.turn();
    expect(calls.areOfOne).toBe(false);
  });
});
