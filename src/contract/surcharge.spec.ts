import { describe, expect, it } from '@jest/globals';
import { surchargePercent, withSurcharge } from './surcharge.js';

describe('surchargePercent', () => {
  it.each([
    [{}, 0],
    [{ speed: 'standard', inference_geo: 'global' }, 0],
    [{ speed: 'fast', inference_geo: 'not_available' }, 100],
    [{ inference_geo: 'us' }, 10],
    [{ speed: 'fast', inference_geo: 'us' }, 120],
    [{ speed: null, inference_geo: ['us'] }, 0],
  ])('of %j is %i', (told, percent) => {
    expect(surchargePercent(told)).toBe(percent);
  });
});

describe('withSurcharge', () => {
  it('is exact, and rounds up', () => {
    expect(withSurcharge(5n, 0)).toBe(5n);
    expect(withSurcharge(5n, 100)).toBe(10n);
    expect(withSurcharge(5n, 10)).toBe(6n);
    expect(withSurcharge(10n, 120)).toBe(22n);
  });
});
