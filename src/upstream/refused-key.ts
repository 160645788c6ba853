import { type GatewayError } from '../contract/gateway-error.js';

/**
 * With these a provider refuses the key that it was called with, whatever the request is: unknown,
 * without money, or without the right. 402 is DeepSeek's and OpenRouter's for an account that has used
 * up its money. https://api-docs.deepseek.com/quick_start/error_codes
 * https://openrouter.ai/docs/api-reference/errors
 */
const REFUSALS = new Set([401, 402, 403]);

/** Whether a call failed because of its key; another key of the same provider need not be refused. */
export function isKeyRefused({ details: { upstream } }: GatewayError): boolean {
  if (upstream === undefined) return false;
  return REFUSALS.has(upstream.status) || upstream.refusesKey === true;
}
