import { NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';
import { type Fields } from '../../../json/values.js';
import { type ResponseBody } from './responses-reading.js';
import { inItsTier } from '../service-tier.js';
import { toolUsage } from './responses-tools.js';

/**
 * Usage of a response of OpenAI's: `input_tokens` includes what was read from and written to the
 * cache, and what OpenAI's own tools did is paid for beside it.
 * https://platform.openai.com/docs/api-reference/responses/object,
 * https://platform.openai.com/docs/pricing#built-in-tools
 *
 * @param asked the request's body, where it was relayed.
 */
export function responsesUsage(
  response: ResponseBody | undefined,
  asked: Fields = {},
): Usage | undefined {
  const usage = response?.usage as ResponsesUsage | null | undefined;
  const input = tokenCount(usage?.input_tokens);
  const output = tokenCount(usage?.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const details = usage?.input_tokens_details;
  const read = Math.min(tokenCount(details?.cached_tokens) ?? 0, input);
  const written = Math.min(tokenCount(details?.cache_write_tokens) ?? 0, input - read);
  const counts = {
    ...NO_USAGE,
    inputTokens: input - read - written,
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    ...toolUsage(response ?? {}, asked),
  };
  return inItsTier(counts, response);
}

/** The tokens of the output that were thought and not said, where the provider tells them. */
export function responsesThinking(response: ResponseBody): number | undefined {
  const usage = response.usage as ResponsesUsage | null | undefined;
  return tokenCount(usage?.output_tokens_details?.reasoning_tokens);
}

/** What a call consumed in the format's words, where the input includes what a cache gave or took. */
export function responsesUsageOf(usage: Usage, thinkingTokens = 0): object {
  const cache_write_tokens = usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  const cached_tokens = usage.cacheReadTokens + usage.cachedImageInputTokens;
  const input_tokens =
    usage.inputTokens + usage.imageInputTokens + cached_tokens + cache_write_tokens;
  const output_tokens = usage.outputTokens + usage.imageOutputTokens;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens, cache_write_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens: Math.min(thinkingTokens, output_tokens) },
    total_tokens: input_tokens + output_tokens,
  };
}

interface ResponsesUsage {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
  readonly input_tokens_details?: {
    readonly cached_tokens?: unknown;
    readonly cache_write_tokens?: unknown;
  } | null;
  readonly output_tokens_details?: { readonly reasoning_tokens?: unknown } | null;
}
