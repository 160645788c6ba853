import { type GatewayError } from '../contract/gateway-error.js';
import { brokenAnswer } from '../providers/dialects/broken-answer.js';

/**
 * The 502 of an answer, or of an event of one, that is more than may be. How much comes is as much the
 * request's doing (`n`, `top_logprobs`, pictures of a tool), and no word against the model.
 */
export function tooMuch(message: string): GatewayError {
  return brokenAnswer(message, { hasSpoken: true });
}
