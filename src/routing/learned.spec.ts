import { describe, expect, it } from '@jest/globals';
import { learnedFrom, PRIOR_REQUESTS } from './learned.js';
import { ofEveryClass } from './quality-prior.js';

const BELIEVED = ofEveryClass((task) => (task === 'code' ? 0.8 : 0.6));
const opinion = (task: 'code' | 'math' | null, count: number, total: number) => ({
  ...{ model: 'a/b', task, count, total },
});

describe('learnedFrom', () => {
  it('believes the prior where nothing was said', () => {
    expect(learnedFrom([])({ id: 'a/b' }, 'code', BELIEVED)).toBe(0.8);
    const other = learnedFrom([{ ...opinion('code', 500, 0), model: 'a/c' }]);
    expect(other({ id: 'a/b' }, 'code', BELIEVED)).toBe(0.8);
  });

  it('moves by one request in sixty-one, and after sixty by half', () => {
    const learned = (count: number) =>
      learnedFrom([opinion('code', count, 0)])({ id: 'a/b' }, 'code', BELIEVED);
    expect(learned(1)).toBeCloseTo((0.8 * PRIOR_REQUESTS) / (PRIOR_REQUESTS + 1));
    expect(learned(PRIOR_REQUESTS)).toBeCloseTo(0.4);
  });

  it('moves only the kind of task that was judged', () => {
    const learned = learnedFrom([opinion('math', 600, 0)]);
    expect(learned({ id: 'a/b' }, 'code', BELIEVED)).toBe(0.8);
    expect(learned({ id: 'a/b' }, 'math', BELIEVED)).toBeLessThan(0.1);
  });

  it('moves every kind where the kind is not known', () => {
    const learned = learnedFrom([opinion(null, PRIOR_REQUESTS, PRIOR_REQUESTS)]);
    expect(learned({ id: 'a/b' }, 'code', BELIEVED)).toBeCloseTo(1);
    expect(learned({ id: 'a/b' }, 'math', BELIEVED)).toBeCloseTo(0.8);
  });

  it('adds up what was said under the undated and the dated name', () => {
    const dated = { ...opinion('code', 20, 0), model: 'a/b-2026' };
    const learned = learnedFrom([opinion('code', 40, 0), dated]);
    expect(learned({ id: 'a/b', aliasOf: 'a/b-2026' }, 'code', BELIEVED)).toBeCloseTo(0.4);
    expect(learned({ id: 'a/b-2026' }, 'code', BELIEVED)).toBeCloseTo(0.6);
  });

  it('stays between 0 and 1, whatever the sums', () => {
    for (const sums of [opinion('code', 1e9, 1e9), opinion('code', 3, 50), opinion(null, 9, -4)]) {
      const learned = learnedFrom([sums])({ id: 'a/b' }, 'code', BELIEVED);
      expect(learned).toBeGreaterThanOrEqual(0);
      expect(learned).toBeLessThanOrEqual(1);
    }
  });
});
