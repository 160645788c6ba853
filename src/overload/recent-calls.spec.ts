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
    [{}, undefined],
    [{ a: 1_000 }, undefined],
    [{ a: 1_000, b: 1 }, 'a'],
    [{ a: 80, b: 20 }, undefined],
    [{ b: 10, a: 81, c: 9 }, 'a'],
  ])('of %j are a flood of %s', (counts, expected) => {
    expect(recent(counts).flood()).toBe(expected);
  });

  it('are one still while they are a little less', () => {
    const calls = recent({ a: 90, b: 10 });
    expect(calls.flood()).toBe('a');
    for (let call = 0; call < 30; call++) calls.add('b');
    expect(calls.flood()).toBe('a');
    for (let call = 0; call < 20; call++) calls.add('b');
    expect(calls.flood()).toBeUndefined();
  });

  it('counts a period beyond its end, and not longer', () => {
    const calls = recent({ a: 100, b: 1 });
    calls.turn();
    expect(calls.flood()).toBe('a');
    calls.add('a');
    calls.turn();
    expect(calls.flood()).toBeUndefined();
  });
});
