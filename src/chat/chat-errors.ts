import { membersOf } from '../json/values.js';

/**
 * The chunk that ends a stream which the provider broke off; OpenAI's SDK throws on it. It is a kind
 * that the HTTP errors of this API have too.
 */
export function errorChunk(error: unknown): Buffer {
  const { type, message } = membersOf(error);
  const [kind, code] = KINDS.get(type) ?? ['upstream_error', 'upstream_error'];
  const said = typeof message === 'string' ? message : 'The provider broke off its answer.';
  const body = { error: { message: said, type: kind, param: null, code } };
  return Buffer.from(`data: ${JSON.stringify(body)}\n\n`);
}

/** OpenAI's type and code for Anthropic's type: https://docs.anthropic.com/en/api/errors */
const KINDS: ReadonlyMap<unknown, readonly [string, string]> = new Map([
  ['invalid_request_error', ['invalid_request_error', 'invalid_request']],
  ['request_too_large', ['invalid_request_error', 'request_too_large']],
  ['rate_limit_error', ['rate_limit_error', 'rate_limit_exceeded']],
  ['overloaded_error', ['server_error', 'provider_unavailable']],
  ['timeout_error', ['upstream_timeout', 'upstream_timeout']],
] as const);
