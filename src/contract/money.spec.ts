import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { unitsOfUsd, usdDecimal, usdNumber } from './money.js';

describe('money', () => {
  it.each([
    [0n, '0'],
    [1n, '0.000000000001'],
    [1_500_000n, '0.0000015'],
    [-2_000_000_000_000n, '-2'],
    [123_456_789_012_345n, '123.456789012345'],
  ])('writes %s units as %s', (units, decimal) => {
    expect(usdDecimal(units)).toBe(decimal);
  });

  it.each([
    [0.1, 100_000_000_000n],
    [1e-7, 100_000n],
    [2.5e-12, 3n],
    [1e6, 10n ** 18n],
    [-0.5, -500_000_000_000n],
  ])('reads %d USD as %s units', (usd, units) => {
    expect(unitsOfUsd(usd)).toBe(units);
  });

  it('refuses what is no amount', () => {
    for (const usd of [NaN, Infinity]) expect(() => unitsOfUsd(usd)).toThrow(RangeError);
  });

  it('comes back the same for every amount with up to 15 digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n }), (units) => {
        expect(unitsOfUsd(usdNumber(units))).toBe(units);
      }),
    );
  });
});
