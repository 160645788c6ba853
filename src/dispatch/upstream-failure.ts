import { type ErrorCode, GatewayError } from '../contract/gateway-error.js';
import { type ProviderError, type UpstreamReply } from '../providers/provider.js';

/**
 * A provider's refusal as the caller sees it. The text of a 4xx is kept, because clients act on it;
 * that of 401, 403 and 5xx is not, because it concerns the gateway's own account or the provider.
 */
export function failureOf(
  provider: string,
  { status: answered, headers }: Pick<UpstreamReply, 'status' | 'headers'>,
  error: ProviderError | undefined,
): GatewayError {
  // Whatever a provider calls it: with another request it would have worked.
  const status = error?.isRefusal ? 400 : answered;
  const retryAfter = secondsOf(headers['retry-after']);
  const again = retryAfter === undefined ? {} : { retryAfter };
  const hidden = { ...again, upstream: { status } };
  if (status === 529) {
    const message = `The provider ${provider} is overloaded.`;
    return new GatewayError(529, 'provider_unavailable', message, { retryAfter: 1, ...hidden });
  }
  if (status === 408 || status === 504) {
    const message = `The provider ${provider} did not answer in time.`;
    return new GatewayError(504, 'upstream_timeout', message, hidden);
  }
  if (HIDDEN.has(status) || status < 400 || status >= 500) {
    const said = TOLD.has(status) ? error?.message : undefined;
    const message = said ?? `The provider ${provider} failed with status ${status}.`;
    return new GatewayError(502, 'upstream_error', message, hidden);
  }
  const [kept, code] = KEPT[status] ?? [400, 'invalid_request'];
  return new GatewayError(kept, code, error?.message ?? `The provider answered ${status}.`, {
    ...(error?.param !== undefined && { param: error.param }),
    ...(status === 429 && { retryAfter: 1 }),
    ...again,
    upstream: {
      status,
      ...(error?.code !== undefined && { code: error.code }),
      ...(error?.details !== undefined && { details: error.details }),
    },
  });
}

/** An error that came with status 200, placed by its type. */
export function failureInside(provider: string, error: ProviderError): GatewayError {
  const status = STATUS_OF_TYPE[error.type ?? ''] ?? 502;
  return failureOf(provider, { status, headers: {} }, error);
}

/** The answer is not what the format promises. */
export function brokenAnswer(provider: string): GatewayError {
  const message = `The provider ${provider} sent an answer that is broken.`;
  return new GatewayError(502, 'upstream_error', message, { upstream: { status: 200 } });
}

/** Our credentials or our address are at fault, which is nothing that a caller can mend. */
const HIDDEN = new Set([401, 402, 403, 405, 407]);

/** Those of them whose text gives no credential away, and tells an operator what to do. */
const TOLD = new Set([402, 405]);

const KEPT: Readonly<Record<number, readonly [number, ErrorCode]>> = {
  404: [404, 'model_not_found'],
  409: [409, 'invalid_request'],
  413: [413, 'request_too_large'],
  429: [429, 'rate_limit_exceeded'],
};

const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  timeout_error: 504,
  overloaded_error: 529,
};

/** `Retry-After` in whole seconds, given as seconds or as a date. */
export function secondsOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(header.trim())
    ? Number(header)
    : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(86_400, Math.max(1, Math.ceil(seconds))) : undefined;
}
