import { expect, it } from '@jest/globals';
import { statusIn } from './error-status.js';

it.each([
  [{ message: 'No.', code: '429' }, 429],
  [{ message: 'No.', code: '404', type: 'rate_limit_error' }, 429],
  [{ message: 'No.', code: 'invalid_api_key', type: 'invalid_request_error' }, 401],
  [{ message: 'No.', code: 'content_filter' }, 400],
  [{ message: 'No.', code: '429', isRefusal: true }, 400],
  [{ message: 'No.', code: '200' }, 502],
  [{ message: 'No.', code: '4290', status: 503 }, 503],
])('finds in %j the status %i', (error, status) => {
  expect(statusIn(error)).toBe(status);
});
