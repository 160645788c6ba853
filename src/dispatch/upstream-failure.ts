import { isFailedStatus } from '../contract/failed-status.js';
import { type ErrorCode, GatewayError } from '../contract/gateway-error.js';
import { brokenAnswer } from '../providers/dialects/broken-answer.js';
import { statusIn } from '../providers/dialects/error-status.js';
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
  if (answered === 403 && error?.code === MODEL_LACKED) return lacking(provider);
  // Whatever a provider calls it: with another request it would have worked.
  const status = error?.isRefusal ? 400 : answered;
  const seconds = secondsOf(headers) ?? error?.retryAfter;
  const again = seconds === undefined ? {} : { retryAfter: Math.min(LONGEST_WAIT_S, seconds) };
  // Anthropic's and OpenAI's SDKs obey it before anything else; and money does not come of waiting.
  const isWithoutMoney = status === 402 || error?.code === 'insufficient_quota';
  const isOver = headers['x-should-retry'] === 'false' || isWithoutMoney;
  const isFinal = isOver && { isFinal: true };
  const hidden = { ...again, upstream: { status, ...isFinal } };
  if (status === 529) {
    const message = `The provider ${provider} is overloaded.`;
    return new GatewayError(529, 'provider_unavailable', message, hidden);
  }
  if (status === 408 || status === 504) {
    const message = `The provider ${provider} did not answer in time.`;
    return new GatewayError(504, 'upstream_timeout', message, hidden);
  }
  if (HIDDEN.has(status) || status < 400 || isFailedStatus(status)) {
    const said = TOLD.has(status) ? error?.message : undefined;
    const message = said ?? `The provider ${provider} failed with status ${status}.`;
    return new GatewayError(502, 'upstream_error', message, hidden);
  }
  const [kept, code] = KEPT[status] ?? [400, 'invalid_request'];
  const message = error?.message ?? `The provider ${provider} answered ${status}.`;
  return new GatewayError(kept, code, message, {
    ...(error?.param !== undefined && { param: error.param }),
    ...again,
    upstream: {
      status,
      ...isFinal,
      ...(error?.refusesKey && { refusesKey: true }),
      ...(error?.code !== undefined && { code: error.code }),
      ...(error?.details !== undefined && { details: error.details }),
    },
  });
}

/** The key's project has no right to the model, which the provider's words name: no word against the key. */
function lacking(provider: string): GatewayError {
  const message = `The provider ${provider} has no such model for the gateway.`;
  return new GatewayError(502, 'upstream_error', message, { upstream: { status: 404 } });
}

/** An error that came with status 200, placed by its type or its code; the headers of that may say more. */
export function failureInside(
  provider: string,
  error: ProviderError,
  headers: UpstreamReply['headers'] = {},
): GatewayError {
  return failureOf(provider, { status: statusIn(error), headers }, error);
}

/** The answer is not what the format promises. */
export function brokenAnswerOf(provider: string): GatewayError {
  return brokenAnswer(`The provider ${provider} sent an answer that is broken.`);
}

/**
 * The same failure with the provider's name where it speaks of one without it: what reads an answer, or waits
 * for it, does not know whose it is. What a provider has said itself stays.
 */
export function naming(provider: string, error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  const { status, code, message, details } = error;
  if (!details.upstream || details.upstream.status >= 400) return error;
  const [subject] = SUBJECT.exec(message) ?? [];
  if (subject === undefined || message.startsWith(`${subject} ${provider} `)) return error;
  const named = `${subject} ${provider}${message.slice(subject.length)}`;
  return new GatewayError(status, code, named, details);
}

const SUBJECT = /^The (?:connection to the )?provider(?= )/;

/** OpenAI's: https://github.com/Aider-AI/aider/issues/604 */
const MODEL_LACKED = 'model_not_found';

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

/**
 * How long a provider asks to be left alone, in seconds: its `retry-after-ms`, which OpenAI and Azure
 * send beside the other and which is more exact, or `Retry-After`, given as seconds or as a date.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
export function secondsOf(headers: UpstreamReply['headers']): number | undefined {
  const exact = longest(headers['retry-after-ms']);
  if (exact !== undefined) return Math.min(LONGEST_WAIT_S, exact / 1_000);
  const header = headers['retry-after'];
  const seconds = longest(header) ?? secondsUntil(header);
  if (seconds === undefined) return undefined;
  return Math.min(LONGEST_WAIT_S, Math.max(1, Math.ceil(seconds)));
}

const LONGEST_WAIT_S = 86_400;

/** The number in a header, or the largest where a proxy has said it again: `2, 2`. */
function longest(header = ''): number | undefined {
  const said = header.split(',').map((part) => part.trim());
  return said.every((part) => /^\d+(\.\d+)?$/.test(part))
    ? Math.max(...said.map(Number))
    : undefined;
}

/** The same of a date, which has a comma of its own. */
function secondsUntil(header = ''): number | undefined {
  const dates = header.split(/(?<=GMT)\s*,/);
  // Whatever else is no date, `Date.parse` makes one of it.
  const at = Math.max(...dates.map((date) => (CLOCK.test(date) ? Date.parse(inUtc(date)) : NaN)));
  return Number.isNaN(at) ? undefined : (at - Date.now()) / 1_000;
}

const CLOCK = /\d:\d\d:\d\d/;

/** C's form of a date names no zone, and means UTC all the same: `Sun Nov  6 08:49:37 1994`. */
function inUtc(date: string): string {
  return /^\s*[a-z]{3} [a-z]{3} .* \d{4}\s*$/i.test(date) ? `${date} GMT` : date;
}
