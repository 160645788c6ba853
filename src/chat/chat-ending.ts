import { type Ended, wasRefused } from '../contract/neutral.js';
import { type Usage } from '../contract/usage.js';

/** What a call consumed in OpenAI's words, where the prompt includes what a cache gave or took. */
export function completionUsage(usage: Usage, reasoning: number | undefined): object {
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  const read = usage.cacheReadTokens + usage.cachedImageInputTokens;
  const prompt = usage.inputTokens + usage.imageInputTokens + read + written;
  const completion = usage.outputTokens + usage.imageOutputTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: read, cache_write_tokens: written },
    ...(reasoning !== undefined && {
      completion_tokens_details: { reasoning_tokens: Math.min(reasoning, completion) },
    }),
  };
}

/** In which tier of service OpenAI made the answer, where it was another one than the usual. */
export function tierOf({ serviceTier }: Usage): { readonly service_tier?: string } {
  return serviceTier === undefined ? {} : { service_tier: serviceTier };
}

interface Ending {
  /** The caller knows functions and no tools. */
  readonly isOld: boolean;
  /** Nothing was answered at all. */
  readonly isEmpty: boolean;
}

/**
 * Why an answer ended, in OpenAI's words. SDKs want one of them: where the provider's own reason has
 * no word, an answer that holds nothing was filtered, and any other has stopped.
 * https://platform.openai.com/docs/api-reference/chat/object
 */
export function finishReason(ended: Ended, { isOld, isEmpty }: Ending): string {
  if (wasRefused(ended)) return 'content_filter';
  switch (ended.stop_reason) {
    case 'end_turn':
    case 'stop_sequence':
    case 'pause_turn':
      return 'stop';
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return 'length';
    case 'tool_use':
      return isOld ? 'function_call' : 'tool_calls';
    default:
      return isEmpty ? 'content_filter' : 'stop';
  }
}
