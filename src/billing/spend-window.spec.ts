import { expect, it } from '@jest/globals';
import { spendWindow } from './spend-window.js';

it.each([
  ['day', '2026-11-20T23:59:59.999Z', 'day:2026-11-20'],
  ['day', '2026-11-21T00:00:00Z', 'day:2026-11-21'],
  ['week', '2026-11-16T00:00:00Z', 'week:2026-11-16'],
  ['week', '2026-11-22T23:59:59Z', 'week:2026-11-16'],
  ['week', '2026-11-23T00:00:00Z', 'week:2026-11-23'],
  ['week', '2027-01-01T12:00:00Z', 'week:2026-12-28'],
  ['month', '2026-11-30T23:59:59Z', 'month:2026-11'],
  ['month', '2026-12-01T00:00:00Z', 'month:2026-12'],
  ['total', '2026-12-01T00:00:00Z', 'total'],
] as const)('the %s of %s is %s', (per, moment, window) => {
  expect(spendWindow(per, Date.parse(moment))).toBe(window);
});
