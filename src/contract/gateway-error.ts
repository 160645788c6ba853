/** Machine-readable reasons, as the OpenAI error body carries them in `code`. */
export const ERROR_CODES = [
  'missing_required_parameter',
  'invalid_value',
  'invalid_type',
  'string_above_max_length',
  'unsupported_parameter',
  'model_not_supported',
  'invalid_json',
  'invalid_request',
  'invalid_api_key',
  'insufficient_credits',
  'spend_limit_reached',
  'model_not_allowed',
  'permission_denied',
  'model_not_found',
  'file_not_found',
  'not_found',
  'invalid_image_url',
  'remote_url_not_supported',
  'unknown_url',
  'method_not_allowed',
  'upstream_timeout',
  'request_timeout',
  'request_too_large',
  'insufficient_storage',
  'unsupported_media_type',
  'rate_limit_exceeded',
  'region_not_allowed',
  'router_no_candidate',
  'internal_error',
  'upstream_error',
  'provider_unavailable',
  'shutting_down',
] as const;

/** One of them. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One entry of a 422 body; `loc` starts with `body`, `query` or `path`. */
export interface ValidationEntry {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** What an error tells beside its status and message. */
export interface ErrorDetails {
  /** Dotted path of the field that is at fault. */
  readonly param?: string;
  /** Seconds after which the same request may work, where that is known; told in whole ones. */
  readonly retryAfter?: number;
  /** Response headers beside the usual ones, such as `allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `causeway_metadata` of the body, for a caller who asked for it. */
  readonly metadata?: object;
  /** The entries of a 422 body. */
  readonly entries?: readonly ValidationEntry[];
  /** Set when a provider is at fault, so that another model may be tried. */
  readonly upstream?: UpstreamFault;
  /** Close the connection after the answer: the request's body was not read to its end. */
  readonly close?: boolean;
  readonly cause?: unknown;
}

/** What came of the call to a provider that failed; other models may be tried after it. */
export interface UpstreamFault {
  /** The provider's HTTP status; 0 when there was no whole answer. */
  readonly status: number;
  /** The provider's own code and details, passed on to the caller with its message. */
  readonly code?: string;
  readonly details?: unknown;
  /** The provider says that the same request will fail again, however long one waits. */
  readonly isFinal?: boolean;
  /** It is about the key that the provider was called with, whatever the status is. */
  readonly refusesKey?: boolean;
  /** The model works, and has answered something else than was wanted, as a request may have it do. */
  readonly hasSpoken?: boolean;
  /** No byte of the request has left, so nothing can have been done. */
  readonly unsent?: boolean;
  /** The provider was not asked, because it has failed too often lately. */
  readonly circuit?: 'open';
}

/** Longer than what a provider says of a wrong request. */
const LONGEST_MESSAGE = 10_000;

/**
 * The only error that is thrown on purpose. Its message is written for the caller, and has an end where
 * it repeats what he has sent.
 */
export class GatewayError extends Error {
  constructor(
    readonly status: number,
    readonly code: ErrorCode,
    message: string,
    readonly details: ErrorDetails = {},
  ) {
    super(bounded(message), { cause: details.cause });
    this.name = 'GatewayError';
  }
}

function bounded(text: string): string {
  if (text.length <= LONGEST_MESSAGE) return text;
  return `${text.slice(0, LONGEST_MESSAGE).toWellFormed()}…`;
}
