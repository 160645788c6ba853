import { GatewayError } from '../contract/gateway-error.js';

/**
 * The 502 of an answer, or of an event of one, that is more than may be. How much comes is as much the
 * request's doing (`n`, `top_logprobs`, pictures of a tool), and no word against the model.
 */
export function tooMuch(message: string): GatewayError {
  const upstream = { status: 200, hasSpoken: true };
  return new GatewayError(502, 'upstream_error', message, { upstream });
}
