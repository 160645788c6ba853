import { GatewayError } from '../../contract/gateway-error.js';

/** What is said of an answer that its provider ended too early and gave no reason for. */
export const BROKEN_OFF = 'The provider broke off its answer.';

/** The 502 of an answer that is not what the format promises. */
export function brokenAnswer(message: string): GatewayError {
  return new GatewayError(502, 'upstream_error', message, { upstream: { status: 200 } });
}
