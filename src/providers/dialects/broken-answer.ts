import { GatewayError } from '../../contract/gateway-error.js';

/** What is said of an answer that its provider ended too early and gave no reason for. */
export const BROKEN_OFF = 'The provider broke off its answer.';

/**
 * The 502 of an answer that is not what the format promises.
 *
 * @param told `hasSpoken`: it may be what the request has asked for, and so is no word against the model.
 */
export function brokenAnswer(
  message: string,
  { hasSpoken, cause }: { readonly hasSpoken?: boolean; readonly cause?: unknown } = {},
): GatewayError {
  const upstream = { status: 200, ...(hasSpoken && { hasSpoken }) };
  return new GatewayError(502, 'upstream_error', message, { cause, upstream });
}
