import { expect, it } from '@jest/globals';
import { GatewayError } from '../contract/gateway-error.js';
import { verdictOf } from './verdict.js';

const failure = (status: number, upstream?: number): GatewayError =>
  new GatewayError(status, 'upstream_error', 'No.', {
    ...(upstream !== undefined && { upstream: { status: upstream } }),
  });

it.each([
  ['fails', 'no answer', failure(502, 0)],
  ['fails', 'a time limit', failure(504, 0)],
  ['fails', 'a 500', failure(502, 500)],
  ['fails', 'a 529', failure(529, 529)],
  ['fails', 'a 200 that is no answer', failure(502, 200)],
  ['fails', 'a time limit that is the provider’s own, as 408', failure(504, 408)],
  ['refuses', 'a bad request', failure(400, 400)],
  ['refuses', 'a key that is refused', failure(502, 401)],
  ['refuses', 'a limit', failure(429, 429)],
  ['refuses', 'a 200 that refuses an image', failure(400, 200)],
  ['neither', 'a refusal of our own', failure(402)],
  ['neither', 'a fault', new Error('bug')],
])('says %s for %s', (verdict, _, error) => {
  expect(verdictOf(error)).toBe(verdict);
});
