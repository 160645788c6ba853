import { describe, expect, it } from '@jest/globals';
import { FloodWatch } from './flood-watch.js';

const watching = (counts: Record<string, number>): FloodWatch => {
  const watch = new FloodWatch();
  for (const [account, count] of Object.entries(counts)) {
    for (let call = 0; call < count; call++) watch.add(account);
  }
  return watch;
};

describe('FloodWatch', () => {
  it.each([
    [{}, undefined],
    [{ a: 1_000 }, undefined],
    [{ a: 1_000, b: 1 }, 'a'],
    [{ a: 80, b: 20 }, undefined],
    [{ b: 10, a: 81, c: 9 }, 'a'],
  ])('of %j it says that %s floods', (counts, expected) => {
    expect(watching(counts).flood()).toBe(expected);
  });

  it('says so still while it asks for a little less', () => {
    const watch = watching({ a: 90, b: 10 });
    expect(watch.flood()).toBe('a');
    for (let call = 0; call < 30; call++) watch.add('b');
    expect(watch.flood()).toBe('a');
    for (let call = 0; call < 20; call++) watch.add('b');
    expect(watch.flood()).toBeUndefined();
  });

  it('counts a period beyond its end, and not longer', () => {
    const watch = watching({ a: 100, b: 1 });
    watch.beginPeriod();
    expect(watch.flood()).toBe('a');
    watch.add('a');
    watch.beginPeriod();
    expect(watch.flood()).toBeUndefined();
  });
});
