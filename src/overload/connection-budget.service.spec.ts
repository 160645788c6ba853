import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Config } from '../config/config.js';
import { tooFewFiles } from '../http/most-connections.js';
import { RunningRequests } from '../http/running-requests.js';
import { type Metrics } from '../telemetry/metrics.service.js';
import { ConnectionBudget } from './connection-budget.service.js';

afterEach(() => {
  jest.restoreAllMocks();
});

const settings = (maxConnections?: number) => ({ maxConnections, workers: 1 }) as Config;

it.each([
  [500, 1_200, undefined],
  [500, 1_199, '500 requests at once (MAX_CONNECTIONS) may need 1200 open files, and'],
  [undefined, 64, / may need \d+ open files, and this process may have 64 \(ulimit -n\)$/],
])('says whether %s connections have their files among %s', (most, files, said) => {
  const text = tooFewFiles(settings(most), files);
  if (said === undefined) expect(text).toBeUndefined();
  else expect(text).toMatch(said);
});

it('says so at the start', () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined);
  const start = (most: number) =>
    new ConnectionBudget(settings(most), new RunningRequests(), {} as Metrics);
  start(20);
  expect(warn.mock.calls).toEqual([]);
  start(1e12);
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^1000000000000 requests at once/)]]);
});
