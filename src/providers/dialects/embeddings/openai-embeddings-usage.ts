import { tokenCount } from '../../../contract/usage.js';

/**
 * The tokens that an answer reports; undefined where its count is none. The total stands in for a
 * count of the prompt that is left out, not for one that is wrong.
 */
export function embeddingsTokens(usage: {
  readonly prompt_tokens?: unknown;
  readonly total_tokens?: unknown;
}): { readonly prompt: number; readonly total: number | undefined } | undefined {
  const total = tokenCount(usage.total_tokens);
  const prompt = tokenCount(usage.prompt_tokens ?? total);
  return prompt === undefined ? undefined : { prompt, total };
}
