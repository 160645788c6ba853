import { isObject, isText, listOf } from '../../../json/values.js';
import { type ProviderError, type UpstreamReply } from '../../provider.js';
import { retryInfoIn } from '../retry-info.js';

/**
 * What Google says went wrong; undefined when it says nothing. Of its `details` only the time to wait is
 * read, and whether the key is to blame: others name the account that the gateway uses.
 * https://cloud.google.com/apis/design/errors
 */
export function decodeGeminiError(reply: UpstreamReply): ProviderError | undefined {
  try {
    return geminiErrorIn(reply.json());
  } catch {
    return undefined;
  }
}

/** The error inside a JSON body, which may be a list; undefined when there is none. */
export function geminiErrorIn(body: unknown): ProviderError | undefined {
  const outer = (Array.isArray(body) ? body[0] : body) as { error?: unknown } | null | undefined;
  const error = outer?.error as GoogleError | string | null | undefined;
  if (isText(error)) return { message: error };
  if (typeof error !== 'object' || error === null) return undefined;
  const { message, status, details } = error;
  if (typeof message !== 'string' || message === '') return undefined;
  const more = {
    ...retryInfoIn(details),
    ...(isOfKey(details) && { refusesKey: true }),
    ...(OF_CALLERS.test(message) && { isRefusal: true }),
  };
  if (typeof status !== 'string') return { message, ...more };
  const type = TYPES.get(status);
  return { message, code: status, ...(type !== undefined && { type }), ...more };
}

/**
 * A key that Google does not know is a bad request to it.
 * https://ai.google.dev/gemini-api/docs/troubleshooting
 */
function isOfKey(details: unknown): boolean {
  return listOf(details).some((detail) => isObject(detail) && detail.reason === 'API_KEY_INVALID');
}

/**
 * With the status of a key without the right Google refuses a file or a cache, too, that the caller names and
 * that is not there. https://github.com/googleapis/python-genai/issues/1218
 */
const OF_CALLERS = /^(?:You do not have permission to access the File|CachedContent not found) /i;

interface GoogleError {
  readonly message?: unknown;
  readonly status?: unknown;
  readonly details?: unknown;
}

/** Google's words in Anthropic's. https://cloud.google.com/apis/design/errors#handling_errors */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['INVALID_ARGUMENT', 'invalid_request_error'],
  ['FAILED_PRECONDITION', 'invalid_request_error'],
  ['OUT_OF_RANGE', 'invalid_request_error'],
  ['UNAUTHENTICATED', 'authentication_error'],
  ['PERMISSION_DENIED', 'permission_error'],
  ['NOT_FOUND', 'not_found_error'],
  ['RESOURCE_EXHAUSTED', 'rate_limit_error'],
  ['DEADLINE_EXCEEDED', 'timeout_error'],
  ['UNAVAILABLE', 'overloaded_error'],
]);
