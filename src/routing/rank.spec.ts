import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bestAmong, type Contender, rank } from './rank.js';

const contender = (
  model: string,
  quality: number,
  price: number,
  latencyMs: number | null = null,
) => ({
  ...{ model, quality, price, latencyMs },
});
const order = (contenders: readonly Contender[], dial: number) =>
  rank(contenders, dial).map(({ model }) => model);

const STRONG = contender('strong', 0.9, 1);
const MIDDLE = contender('middle', 0.8, 0.1);
const CHEAP = contender('cheap', 0.6, 0.01);

describe('rank', () => {
  it.each([
    [0, ['strong', 'middle', 'cheap']],
    [5, ['middle', 'cheap', 'strong']],
    [10, ['cheap', 'middle', 'strong']],
  ])('goes from quality to price: dial %i', (dial, models) => {
    expect(order([CHEAP, STRONG, MIDDLE], dial)).toEqual(models);
  });

  it('takes the cheaper of equals, and then the first by name', () => {
    const twins = [contender('b', 0.9, 1), contender('c', 0.9, 0.5), contender('a', 0.9, 1)];
    for (const dial of [0, 5, 10]) expect(order(twins, dial)).toEqual(['c', 'a', 'b']);
  });

  it('takes the better of equally priced ones, whatever the dial', () => {
    const pair = [contender('worse', 0.5, 1), contender('better', 0.6, 1)];
    for (const dial of [0, 3, 9.9, 10]) expect(order(pair, dial)[0]).toBe('better');
  });

  it('lets slowness decide between near equals, and not more', () => {
    const slow = contender('slow', 0.81, 0.1, 8_000);
    const quick = contender('quick', 0.8, 0.1, 1_000);
    expect(order([slow, quick], 5)).toEqual(['quick', 'slow']);
    expect(order([slow, quick], 0)).toEqual(['slow', 'quick']);
    expect(order([{ ...slow, quality: 0.95 }, quick], 5)).toEqual(['slow', 'quick']);
  });

  it('does not let one absurdly dear model make all others look cheap', () => {
    const absurd = contender('absurd', 0.85, 60);
    expect(order([STRONG, MIDDLE, CHEAP, absurd], 5)[0]).toBe('middle');
  });

  it('has finite scores and one order', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const price = fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 100, noNaN: true }));
    const many = fc.uniqueArray(
      fc.record({
        model: fc.string({ minLength: 1 }),
        quality: share,
        price,
        latencyMs: fc.option(fc.double({ min: 0, max: 1e6, noNaN: true })),
      }),
      { selector: ({ model }) => model, minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(many, fc.double({ min: 0, max: 10, noNaN: true }), (contenders, dial) => {
        const ranked = rank(contenders, dial);
        expect(ranked.every(({ score }) => Number.isFinite(score))).toBe(true);
        expect(order(contenders.toReversed(), dial)).toEqual(ranked.map(({ model }) => model));
        expect(ranked).toHaveLength(contenders.length);
      }),
    );
  });

  describe('turned towards the price', () => {
    const DUST = 1e-9;
    /** Of a few steps, so that many are equal or nearly so. */
    const quality = fc.oneof(
      fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    const price = fc.oneof(
      fc.integer({ min: -6, max: 0 }).map((power) => 10 ** power),
      fc.double({ min: 0, max: 1, noNaN: true }),
    );
    const contenders = (latencyMs: fc.Arbitrary<number | null>) =>
      fc.uniqueArray(fc.record({ model: fc.string(), quality, price, latencyMs }), {
        selector: ({ model }) => model,
        minLength: 1,
        maxLength: 12,
      });
    const latency = fc.option(fc.double({ min: 0, max: 60_000, noNaN: true }));
    const dial = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    it('is the first of the ranking where only that is asked for', () => {
      const positions = fc.array(fc.oneof(dial(0, 10), fc.constantFrom(0, 5, 10)));
      fc.assert(
        fc.property(contenders(latency), positions, (all, dials) => {
          const bestAt = bestAmong(all);
          expect(dials.map(bestAt)).toEqual(
            dials.map((at) => all.find(({ model }) => model === rank(all, at)[0]?.model)),
          );
        }),
      );
    });

    const chosen = (all: readonly Contender[], dials: readonly number[]) => {
      const [towardsQuality, towardsPrice] = dials.toSorted((one, other) => one - other);
      return [rank(all, towardsQuality!)[0]!, rank(all, towardsPrice!)[0]!] as const;
    };
    const RUNS = { numRuns: 5_000 };

    it('never chooses a dearer model, nor turned back one that is worse', () => {
      const dials = fc.tuple(
        fc.oneof(dial(0, 10), fc.constant(0)),
        fc.oneof(dial(0, 10), fc.constant(10)),
      );
      fc.assert(
        fc.property(contenders(fc.constant(null)), dials, (all, pair) => {
          const [good, cheap] = chosen(all, pair);
          expect(cheap.price).toBeLessThanOrEqual(good.price + DUST);
          expect(good.quality).toBeGreaterThanOrEqual(cheap.quality - DUST);
        }),
        RUNS,
      );
    });

    it('never chooses a dearer model where latencies count, which is between the ends', () => {
      const between = dial(Number.EPSILON, 10 - 1e-9);
      fc.assert(
        fc.property(contenders(latency), fc.tuple(between, between), (all, pair) => {
          const [good, cheap] = chosen(all, pair);
          expect(cheap.price).toBeLessThanOrEqual(good.price + DUST);
        }),
        RUNS,
      );
    });

    it('chooses a dearer one for its speed only when it leaves 0, where speed does not count', () => {
      const pair = [contender('slow', 0.81, 1, 8_000), contender('quick', 0.8, 2, 1_000)];
      expect([0, 0.001, 9].map((at) => order(pair, at)[0])).toEqual(['slow', 'quick', 'slow']);
    });
  });
});
