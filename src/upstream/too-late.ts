import { type ErrorDetails, GatewayError } from '../contract/gateway-error.js';

/** The 504 of a provider that took longer than it may; nobody knows what it has done. */
export function tooLate(details: ErrorDetails = { upstream: { status: 0 } }): GatewayError {
  const message = 'The provider did not answer in time.';
  return new GatewayError(504, 'upstream_timeout', message, details);
}
