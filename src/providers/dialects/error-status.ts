import { type ProviderError } from '../provider.js';

/**
 * The status that an error would have come with by itself, where it came inside an answer that had
 * begun well; 502 where it tells nothing of that.
 */
export function statusIn({ type = '', code = '', status = 502, ...said }: ProviderError): number {
  if (said.isRefusal) return 400;
  // Of the two the code is the more exact one: a key that OpenAI refuses is an invalid request by type.
  return STATUS.get(code) ?? STATUS.get(type) ?? written(code) ?? status;
}

/** Azure writes a status as text. */
function written(code: string): number | undefined {
  return /^[45]\d\d$/.test(code) ? Number(code) : undefined;
}

/** https://docs.anthropic.com/en/api/errors, and OpenAI's, which names some kinds by a code only. */
const STATUS: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['invalid_api_key', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['rate_limit_exceeded', 429],
  ['insufficient_quota', 429],
  ['timeout_error', 504],
  ['overloaded_error', 529],
  ...[
    'invalid_prompt',
    'context_length_exceeded',
    // Azure's: https://learn.microsoft.com/azure/ai-foundry/openai/concepts/content-filter
    'content_filter',
    // https://platform.openai.com/docs/api-reference/responses/object#responses-object-error
    'bio_policy',
    'empty_image_file',
    'failed_to_download_image',
    'image_content_policy_violation',
    'image_file_not_found',
    'image_file_too_large',
    'image_parse_error',
    'image_too_large',
    'image_too_small',
    'invalid_base64_image',
    'invalid_image',
    'invalid_image_format',
    'invalid_image_mode',
    'invalid_image_url',
    'unsupported_image_media_type',
  ].map((code) => [code, 400] as const),
]);
