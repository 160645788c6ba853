import { expect, jest } from '@jest/globals';

// E2e suites talk to real servers while another suite keeps the machine busy. One of their tests that
// fails is run once more, and what it said the first time is printed. Any other test must pass at once.
if (expect.getState().testPath?.endsWith('.e2e-spec.ts')) {
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
}
