import { expect, it } from '@jest/globals';
import { restartDelayMs } from './supervisor.js';

it('waits longer each time before a worker is started again, and never long', () => {
  expect([0, 1, 2, 3].map(restartDelayMs)).toEqual([100, 200, 400, 800]);
  expect([7, 100, 100_000].map(restartDelayMs)).toEqual([10_000, 10_000, 10_000]);
});
