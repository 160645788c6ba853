import { expect, it } from '@jest/globals';
import { type Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { MemoryBudget } from './memory-budget.service.js';

const MB = 1024 * 1024;
const KB = 1024;

const config = { maxBufferedBytes: 160 * MB, bodyLimitBytes: MB, workers: 1 };

it('keeps room for accounts that come later, however many there are before them', () => {
  const budget = new MemoryBudget(config as Config, new Metrics());
  /** What an account gets that asks until it is refused. */
  const filling = (account: string) => {
    let bytes = 0;
    while (budget.take(account, 64 * KB, 0)) bytes += 64 * KB;
    return bytes / MB;
  };
  const parts = ['a', 'b', 'c', 'd', 'e'].map(filling);
  expect(parts).toEqual([130, 15, 7.5, 3.75, 1.875]);
  expect(Array.from({ length: 5 }, (_, index) => budget.take(`late-${index}`, 64 * KB, 0))).toEqual(
    Array(5).fill(true),
  );
});

it.each([
  ['large ones', 4 * MB, 108],
  ['small ones', MB / 2, 130],
])('lets an account begin a large request when another one fills it with %s', (_, each, most) => {
  const budget = new MemoryBudget(config as Config, new Metrics());
  let bytes = 0;
  while (budget.take('first', each, 0)) bytes += each;
  expect(bytes / MB).toBe(most);
  expect(budget.take('late', 64 * KB, 0)).toBe(true);
  expect(budget.take('late', 4 * MB, 64 * KB)).toBe(true);
});

it('lets the only request of an account grow to what a large one may have, and no other one beside it', () => {
  const budget = new MemoryBudget(config as Config, new Metrics());
  let bytes = 0;
  while (budget.take('a', MB, bytes)) bytes += MB;
  expect(bytes / MB).toBe(140);
  expect(budget.take('a', 64 * KB, 0)).toBe(false);
});
