import { countOrZero, NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';

/**
 * Gemini's usage: the prompt includes what was read from the cache; thoughts and what its own tools
 * fed back to the model are counted apart. What is zero is left out, which a prompt never is:
 * undefined when there is no count of it, or one of the others is told and is no count.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 *
 * @param imagePrice whether the images that the model makes have a price of their own.
 */
export function geminiUsage(
  wire: unknown,
  { imagePrice }: { imagePrice: boolean },
): Usage | undefined {
  const usage = wire as UsageMetadata | null | undefined;
  const prompt = tokenCount(usage?.promptTokenCount);
  const answer = countOrZero(usage?.candidatesTokenCount);
  const thoughts = countOrZero(usage?.thoughtsTokenCount);
  const tools = countOrZero(usage?.toolUsePromptTokenCount);
  const cached = countOrZero(usage?.cachedContentTokenCount);
  if (prompt === undefined || answer === undefined || thoughts === undefined) return undefined;
  if (tools === undefined || cached === undefined) return undefined;
  const read = Math.min(cached, prompt);
  const images = imagePrice
    ? Math.min(tokensOf('IMAGE', usage?.candidatesTokensDetails), answer)
    : 0;
  const sound = tokensOf('AUDIO', usage?.promptTokensDetails);
  const cachedSound = Math.min(tokensOf('AUDIO', usage?.cacheTokensDetails), read, sound);
  return {
    ...NO_USAGE,
    inputTokens: prompt - read + tools,
    cacheReadTokens: read,
    outputTokens: answer - images + thoughts,
    imageOutputTokens: images,
    audioInputTokens: Math.min(sound - cachedSound, prompt - read),
    cachedAudioInputTokens: cachedSound,
  };
}

/** The part of the output that is thought. */
export function thoughtTokens(wire: unknown): number {
  return tokenCount((wire as UsageMetadata | null | undefined)?.thoughtsTokenCount) ?? 0;
}

/** Whether it says how much the model wrote or thought, if only until then. */
export function tellsOutput(wire: unknown): boolean {
  const { candidatesTokenCount, thoughtsTokenCount } = (wire ?? {}) as UsageMetadata;
  return (
    tokenCount(candidatesTokenCount) !== undefined || tokenCount(thoughtsTokenCount) !== undefined
  );
}

interface UsageMetadata {
  readonly promptTokenCount?: unknown;
  readonly cachedContentTokenCount?: unknown;
  readonly promptTokensDetails?: unknown;
  readonly cacheTokensDetails?: unknown;
  readonly candidatesTokenCount?: unknown;
  readonly candidatesTokensDetails?: unknown;
  readonly thoughtsTokenCount?: unknown;
  readonly toolUsePromptTokenCount?: unknown;
}

interface ModalityCount {
  readonly modality?: unknown;
  readonly tokenCount?: unknown;
}

/** How many of the tokens that are told apart are of this kind. */
export function tokensOf(modality: string, details: unknown): number {
  return (listOf(details) as (ModalityCount | null)[])
    .filter((count) => count?.modality === modality)
    .reduce((sum, count) => sum + (tokenCount(count?.tokenCount) ?? 0), 0);
}
