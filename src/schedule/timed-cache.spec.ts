import { describe, expect, it } from '@jest/globals';
import { TimedCache } from './timed-cache.js';

function cacheOf(size: number) {
  const clock = { now: 0 };
  return { clock, cache: new TimedCache<string>({ size, ms: 4000 }, () => clock.now) };
}

describe('TimedCache', () => {
  it('forgets a value after its time, however often it is used', () => {
    const { cache, clock } = cacheOf(10);
    cache.set('a', 'A');
    for (clock.now = 0; clock.now < 4000; clock.now += 500) expect(cache.get('a')).toBe('A');
    expect(cache.get('a')).toBeUndefined();
  });

  it('forgets what was not used for longest when it is full', () => {
    const { cache } = cacheOf(2);
    cache.set('a', 'A');
    cache.set('b', 'B');
    cache.get('a');
    cache.set('c', 'C');
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C']);
  });

  it('takes the last value and its time', () => {
    const { cache, clock } = cacheOf(2);
    cache.set('a', 'old');
    clock.now = 3000;
    cache.set('a', 'new');
    clock.now = 6999;
    expect(cache.get('a')).toBe('new');
  });
});
