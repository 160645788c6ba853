import { surchargePercent } from '../../../contract/surcharge.js';
import {
  addedUsage,
  countOrZero,
  NO_USAGE,
  tokenCount,
  type Usage,
} from '../../../contract/usage.js';
import { listOf, membersOf } from '../../../json/values.js';

/**
 * Anthropic's usage: input excludes cache tokens, and everything excludes what a summary of the
 * conversation took that was made on the way, and what an advisor read and wrote. Undefined when a count
 * that the price depends on is missing or no count at all.
 * https://docs.anthropic.com/en/api/messages#response-usage,
 * https://platform.claude.com/docs/en/build-with-claude/compaction, …/agents-and-tools/tool-use/advisor-tool
 */
export function anthropicUsage(wire: unknown): Usage | undefined {
  const usage = wire as AnthropicUsage | null | undefined;
  const iterations = listOf(usage?.iterations).map(membersOf);
  const summaries = iterations.filter(({ type }) => type === 'compaction');
  const advice = iterations
    .filter(({ type }) => type === 'advisor_message')
    .map((iteration) => anthropicCounts(iteration));
  const all = summaries.reduce<Usage | undefined>((sum, summary) => {
    const counts = anthropicCounts(summary);
    return sum && counts ? addedUsage(sum, counts) : sum;
  }, anthropicCounts(usage));
  if (!all || advice.includes(undefined)) return undefined;
  const percent = { surchargePercent: surchargePercent(usage ?? {}) };
  const told = advice.map((one) => ({ ...NO_USAGE, ...one, ...percent }));
  return { ...all, ...percent, ...(told.length > 0 && { help: told }) };
}

function anthropicCounts(usage: AnthropicUsage | null | undefined): Usage | undefined {
  const inputTokens = tokenCount(usage?.input_tokens);
  const output = tokenCount(usage?.output_tokens);
  const read = countOrZero(usage?.cache_read_input_tokens);
  const written = countOrZero(usage?.cache_creation_input_tokens);
  if (inputTokens === undefined || output === undefined) return undefined;
  if (read === undefined || written === undefined) return undefined;
  const hour = Math.min(tokenCount(usage?.cache_creation?.ephemeral_1h_input_tokens) ?? 0, written);
  const images = Math.min(tokenCount(usage?.output_tokens_details?.image_tokens) ?? 0, output);
  const heard = usage?.input_tokens_details;
  return {
    ...NO_USAGE,
    inputTokens,
    outputTokens: output - images,
    cacheReadTokens: read,
    cacheWriteTokens: written - hour,
    cacheWrite1hTokens: hour,
    imageOutputTokens: images,
    audioInputTokens: Math.min(tokenCount(heard?.audio_tokens) ?? 0, inputTokens),
    cachedAudioInputTokens: Math.min(tokenCount(heard?.cached_audio_tokens) ?? 0, read),
    webSearches: tokenCount(usage?.server_tool_use?.web_search_requests) ?? 0,
  };
}

/** What a call consumed in the format's words. */
export function anthropicUsageOf(usage: Usage): object {
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(written > 0 && { cache_creation_input_tokens: written }),
    ...(usage.cacheReadTokens > 0 && { cache_read_input_tokens: usage.cacheReadTokens }),
  };
}

interface AnthropicUsage {
  input_tokens?: unknown;
  output_tokens?: unknown;
  cache_creation_input_tokens?: unknown;
  cache_read_input_tokens?: unknown;
  cache_creation?: { ephemeral_1h_input_tokens?: unknown } | null;
  /** In the neutral shape only, too. */
  input_tokens_details?: { audio_tokens?: unknown; cached_audio_tokens?: unknown } | null;
  /** `image_tokens` in the neutral shape only: Anthropic makes no images, others do. */
  output_tokens_details?: { image_tokens?: unknown } | null;
  server_tool_use?: { web_search_requests?: unknown } | null;
  iterations?: unknown;
  speed?: unknown;
  inference_geo?: unknown;
}
