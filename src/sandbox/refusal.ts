import { type Format } from '../contract/endpoint.js';

/** Thrown for a request that the sandbox answers with an HTTP error of this status. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly details: { readonly param?: string; readonly code?: string } = {},
  ) {
    super(message);
    this.name = 'Refusal';
  }
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

const OPENAI_CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
};

/**
 * The error body that clients of the format know.
 * https://docs.anthropic.com/en/api/errors, https://platform.openai.com/docs/guides/error-codes
 */
export function errorBody(format: Format, refusal: Refusal, requestId: string): object {
  const { status, message, details } = refusal;
  if (format === 'anthropic') {
    const type = ANTHROPIC_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
    return { type: 'error', error: { type, message }, request_id: requestId };
  }
  const code = details.code ?? OPENAI_CODES[status] ?? null;
  return { error: { message, type: openaiType(status), param: details.param ?? null, code } };
}

function openaiType(status: number): string {
  if (status === 429) return 'requests';
  return status < 500 ? 'invalid_request_error' : 'server_error';
}
