import { type NeutralUsage } from '../../../contract/neutral.js';
import { NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';
import { listOf, membersOf } from '../../../json/values.js';
import { charged } from '../charged.js';
import { neutralUsage } from '../neutral-answer.js';

/**
 * The usage of a chat: `prompt_tokens` includes cached tokens, which compatible servers report in
 * places of their own, and those of sound, of which nobody tells how many are cached: as few as can be.
 * xAI counts reasoning outside `completion_tokens`, as its total shows.
 * https://platform.openai.com/docs/api-reference/chat/object,
 * https://docs.x.ai/docs/guides/reasoning
 *
 * Undefined when a count that the price depends on is missing or no count at all.
 */
export function chatUsage(wire: unknown): Usage | undefined {
  const usage = wire as ChatUsage | null | undefined;
  const prompt = tokenCount(usage?.prompt_tokens);
  const completion = tokenCount(usage?.completion_tokens);
  if (!usage || prompt === undefined || completion === undefined) return undefined;
  const details = usage.prompt_tokens_details ?? usage.prompt_token_details;
  const read = firstCount(
    details?.cached_tokens,
    usage.cached_tokens,
    usage.num_cached_tokens,
    usage.prompt_cache_hit_tokens,
    usage.cache_read_input_tokens,
  );
  const written = firstCount(details?.cache_write_tokens, usage.cache_creation_input_tokens);
  const reasoning = reasoningTokens(wire) ?? 0;
  const isOutside = reasoning > 0 && usage.total_tokens === prompt + completion + reasoning;
  const images = Math.min(imageTokens(usage), completion);
  const told = charged([usage.cost], 1n);
  const inputTokens = Math.max(0, prompt - read - written);
  const sound = tokenCount(details?.audio_tokens) ?? 0;
  const audioInputTokens = Math.min(sound, inputTokens);
  return {
    ...NO_USAGE,
    inputTokens,
    audioInputTokens,
    cachedAudioInputTokens: Math.min(sound - audioInputTokens, read),
    outputTokens: (isOutside ? completion + reasoning : completion) - images,
    imageOutputTokens: images,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    ...(told !== undefined && { told }),
  };
}

/** The usage that a chunk of a stream carries, in whichever of the places for it; not checked. */
export function usageInChunk(chunk: unknown): unknown {
  const { usage, x_groq, choices } = (chunk ?? {}) as UsageChunk;
  const [first] = listOf(choices) as (UsageChunk | null)[];
  return usage ?? x_groq?.usage ?? first?.usage;
}

/** The counts as Anthropic names them, with those of thinking where the provider tells them. */
export function messageUsage(usage: Usage, wire: unknown): NeutralUsage {
  const { imageOutputTokens: image_tokens } = usage;
  const outputTokens = usage.outputTokens + image_tokens;
  const told = neutralUsage({ ...usage, outputTokens }, reasoningTokens(wire));
  if (image_tokens === 0) return told;
  return {
    ...told,
    output_tokens_details: { ...membersOf(told.output_tokens_details), image_tokens },
  };
}

function reasoningTokens(wire: unknown): number | undefined {
  const { completion_tokens_details: details, reasoning_tokens: plain } = wire as ChatUsage;
  return tokenCount(details?.reasoning_tokens) ?? tokenCount(plain);
}

function imageTokens({ completion_tokens_details: details }: ChatUsage): number {
  return tokenCount(details?.image_tokens) ?? 0;
}

function firstCount(...values: unknown[]): number {
  for (const value of values) {
    const count = tokenCount(value);
    if (count !== undefined) return count;
  }
  return 0;
}

interface UsageChunk {
  readonly usage?: unknown;
  /** Groq: https://console.groq.com/docs/api-reference */
  readonly x_groq?: { readonly usage?: unknown } | null;
  /** Moonshot, in the choice that ends: https://platform.moonshot.ai/docs/api/chat */
  readonly choices?: unknown;
}

interface ChatUsage {
  readonly prompt_tokens?: unknown;
  readonly completion_tokens?: unknown;
  readonly total_tokens?: unknown;
  readonly prompt_tokens_details?: PromptDetails | null;
  /** Writer's spelling: https://dev.writer.com/api-reference/completion-api/chat-completion */
  readonly prompt_token_details?: PromptDetails | null;
  readonly completion_tokens_details?: {
    readonly reasoning_tokens?: unknown;
    /** OpenRouter: https://openrouter.ai/docs/use-cases/usage-accounting */
    readonly image_tokens?: unknown;
  } | null;
  /** Moonshot, Together: https://platform.moonshot.ai/docs/api/chat */
  readonly cached_tokens?: unknown;
  /** Mistral: https://docs.mistral.ai/api */
  readonly num_cached_tokens?: unknown;
  /** DeepSeek: https://api-docs.deepseek.com/guides/kv_cache */
  readonly prompt_cache_hit_tokens?: unknown;
  /** Venice and Vercel, as Anthropic names them. */
  readonly cache_read_input_tokens?: unknown;
  readonly cache_creation_input_tokens?: unknown;
  /** Together. */
  readonly reasoning_tokens?: unknown;
  /** OpenRouter, in USD: https://openrouter.ai/docs/use-cases/usage-accounting */
  readonly cost?: unknown;
}

interface PromptDetails {
  readonly audio_tokens?: unknown;
  readonly cached_tokens?: unknown;
  readonly cache_write_tokens?: unknown;
}
