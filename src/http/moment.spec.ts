import { describe, expect, it } from '@jest/globals';
import { momentOf } from './moment.js';

describe('momentOf', () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  it.each([
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11-20T12:00:00Z', noon],
    ['2026-11-20T12:00:00.000Z', noon],
    ['2026-11-20T12:00:00.123456+00:00', noon + 123],
    ['2026-11-20T14:00+02:00', noon],
    // What names no zone means the same on every machine.
    ['2026-11-20T12:00:00', noon],
    ['2026-11-20 12:00:00', noon],
    [noon, noon],
    [noon / 1_000, noon],
    ['1763640000.5', 1_763_640_000_500],
    ['0', 0],
  ])('reads %s', (value, moment) => {
    expect(momentOf(value)).toBe(moment);
  });

  it.each(['2024-02-29', '2024-02-29T23:59:59+05:30', '2026-12-31T24:00:00Z'])(
    'reads %s, which the calendar has',
    (value) => {
      expect(momentOf(value)).toBe(Date.parse(value));
    },
  );

  it.each([
    '',
    'soon',
    '20/11/2026',
    '2026-13-01',
    '2026-11-20T25:00:00Z',
    // These would be days of the next month.
    '2026-11-31',
    '2026-02-29T12:00:00Z',
    '2026-02-30 12:00',
    '-5',
    '1e3',
    'NaN',
  ])('reads %j as none', (value) => {
    expect(momentOf(value)).toBeUndefined();
  });
});
