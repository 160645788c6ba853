import { jest } from '@jest/globals';

// Most tests talk to real servers while another suite keeps the machine busy. One that fails is run once
// more, and what it said the first time is printed.
jest.retryTimes(1, { logErrorsBeforeRetry: true });
