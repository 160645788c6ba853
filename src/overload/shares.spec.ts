import { describe, expect, it } from '@jest/globals';
import { Shares } from './shares.js';

describe('Shares', () => {
  it('knows what each holds and what they hold together', () => {
    const shares = new Shares();
    shares.add('a', 3);
    shares.add('b', 2);
    shares.add('a', -1);
    expect([shares.of('a'), shares.of('b'), shares.total]).toEqual([2, 2, 4]);
  });

  it('lets one account alone have all of it', () => {
    const shares = new Shares();
    shares.add('a', 9);
    expect([shares.isBeyond('a', 1, 10), shares.isBeyond('a', 2, 10)]).toEqual([false, true]);
  });

  it('divides it equally among those who hold something', () => {
    const shares = new Shares();
    shares.add('a', 5);
    expect(shares.isBeyond('a', 1, 10)).toBe(false);
    shares.add('b', 1);
    expect([shares.isBeyond('a', 1, 10), shares.isBeyond('b', 4, 10)]).toEqual([true, false]);
    shares.add('b', -1);
    expect(shares.isBeyond('a', 1, 10)).toBe(false);
  });

  it('always lets one begin that has nothing', () => {
    const shares = new Shares();
    shares.add('a', 10);
    expect(shares.isBeyond('b', 10, 10)).toBe(false);
  });

  it('tells when one would have more than it leaves, unless it has nothing', () => {
    const shares = new Shares();
    shares.add('a', 4);
    expect([shares.exceedsRest('a', 1, 10), shares.exceedsRest('a', 2, 10)]).toEqual([false, true]);
    shares.add('b', 6);
    expect([shares.exceedsRest('b', 1, 10), shares.exceedsRest('c', 1, 10)]).toEqual([true, false]);
  });

  it('reckons with those who were refused, for five seconds', () => {
    const shares = new Shares();
    shares.add('a', 6);
    shares.refuse('b', 1_000);
    expect(shares.isBeyond('a', 1, 10, 5_999)).toBe(true);
    expect(shares.isBeyond('a', 1, 10, 6_000)).toBe(false);
  });
});
