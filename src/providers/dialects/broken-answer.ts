import { GatewayError } from '../../contract/gateway-error.js';

/** The 502 of an answer that is not what the format promises. */
export function brokenAnswer(message: string): GatewayError {
  return new GatewayError(502, 'upstream_error', message, { upstream: { status: 200 } });
}
