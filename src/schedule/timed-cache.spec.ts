import { describe, expect, it } from '@jest/globals';
import { TimedCache } from './timed-cache.js';

function cacheOf(size: number) {
  const clock = { now: 0 };
  return { clock, cache: new TimedCache<string>({ size, ms: 4000 }, () => clock.now) };
}

/** Whose a key is, its first letter says. */
function cacheOfOwners(size: number) {
  const clock = { now: 0 };
  const ownerOf = (key: string) => key.slice(0, 1);
  return { clock, cache: new TimedCache<string>({ size, ms: 4_000, ownerOf }, () => clock.now) };
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

describe('TimedCache of several owners', () => {
  it('forgets a value after its time, however often it is used', () => {
    const { cache, clock } = cacheOfOwners(10);
    cache.set('a', 'A');
    for (clock.now = 0; clock.now < 4_000; clock.now += 500) expect(cache.get('a')).toBe('A');
    expect(cache.get('a')).toBeUndefined();
  });

  it('forgets what one owner did not use for longest when it is full', () => {
    const { cache } = cacheOfOwners(2);
    cache.set('a1', 'A1');
    cache.set('a2', 'A2');
    expect(cache.get('a1')).toBe('A1');
    cache.set('a3', 'A3');
    expect(['a1', 'a2', 'a3'].map((key) => cache.get(key))).toEqual(['A1', undefined, 'A3']);
  });

  it('lets nobody put out what others have', () => {
    const { cache } = cacheOfOwners(100);
    const few = Array.from({ length: 10 }, (_, index) => `b${index}`);
    for (const key of few) cache.set(key, key);
    for (let index = 0; index < 1_000; index += 1) cache.set(`a${index}`, 'A');
    expect(few.map((key) => cache.get(key))).toEqual(few);
    // And others may have up to as much as he does.
    const more = Array.from({ length: 40 }, (_, index) => `c${index}`);
    for (const [index, key] of more.entries()) {
      cache.set(key, key);
      cache.set(`a${1_000 + index}`, 'A');
    }
    expect([...few, ...more].filter((key) => cache.get(key) !== key).length).toBeLessThan(20);
    expect(few.map((key) => cache.get(key))).toEqual(few);
  });

  it('has room for new owners when all have equal parts, in place of who was away for longest', () => {
    const { cache } = cacheOfOwners(3);
    for (const key of ['a', 'b', 'c', 'd']) cache.set(key, key);
    expect(['a', 'b', 'c', 'd'].map((key) => cache.get(key))).toEqual([undefined, 'b', 'c', 'd']);
  });

  it('keeps no more than its size, whatever is set and used', () => {
    const { cache, clock } = cacheOfOwners(50);
    const keys = Array.from(
      { length: 400 },
      (_, index) => `${'abcdefg'[(index * index) % 7]}${index}`,
    );
    for (const [index, key] of keys.entries()) {
      cache.set(key, key);
      cache.get(keys[(index * 7) % keys.length] ?? '');
      clock.now += 1;
    }
    expect(keys.filter((key) => cache.get(key) === key)).toHaveLength(50);
  });
});
