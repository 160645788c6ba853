import { expect, jest } from '@jest/globals';

// E2e suites, those of services and two more talk to real servers and databases while another suite keeps
// the machine busy. One of their tests that fails is run once more, and what it said the first time is
// printed. Any other test must pass at once.
if (
  /(?:\.e2e-spec|\.service\.spec|\/books\.spec|\/postgres\.spec)\.ts$/.test(
    expect.getState().testPath ?? '',
  )
) {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
