import { describe, expect, it } from '@jest/globals';
import { Query } from './query.js';

describe('Query', () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  it.each([
    ['2026-11-20 12:00', noon],
    ['2026-11-20 12:00:00', noon],
    ['2026-11-20T14:00+02:00', noon],
    // What follows came with a plus that was not encoded.
    ['2026-11-20T14:00 02:00', noon],
    ['2026-11-20T14:00:00 02:00', noon],
    ['2026-11-20 14:00:00.000 02:00', noon],
  ])('takes %j for a moment', (from, moment) => {
    expect(new Query({ from }, ['from']).moment('from')).toBe(moment);
  });

  it.each(['2026-11-20 25:00', '2026-11-20 02', '12:00 02:00'])('refuses %j', (from) => {
    expect(() => new Query({ from }, ['from']).moment('from')).toThrow("Invalid 'from'");
  });
});
