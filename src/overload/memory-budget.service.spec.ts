import { expect, it } from '@jest/globals';
import { type Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.service.js';
import { MemoryBudget } from './memory-budget.service.js';

const MB = 1024 * 1024;
const KB = 1024;

it('keeps room for accounts that come later, however many there are before them', () => {
  const config = { maxBufferedBytes: 160 * MB, bodyLimitBytes: MB, workers: 1 };
  const budget = new MemoryBudget(config as Config, new Metrics());
  /** What an account gets that asks until it is refused. */
  const filling = (account: string) => {
    let bytes = 0;
    while (budget.take(account, 64 * KB, 0)) bytes += 64 * KB;
    return bytes / MB;
  };
  const parts = ['a', 'b', 'c', 'd', 'e'].map(filling);
  expect(parts).toEqual([150, 5, 2.5, 1.25, 0.625]);
  expect(Array.from({ length: 5 }, (_, index) => budget.take(`late-${index}`, 64 * KB, 0))).toEqual(
    Array(5).fill(true),
  );
});
