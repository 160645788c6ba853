import { type ImagesUsage } from '../../../contract/images.js';
import { countOrZero, NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';
import { listOf } from '../../../json/values.js';
import { tokensOf } from '../gemini/gemini-usage.js';

/** What an answer of an image model took, as the gateway counts it and as callers are told. */
export interface ImageTokens {
  readonly usage: Usage;
  readonly wire: ImagesUsage;
}

/**
 * Gemini's usage of a call that made images. What it does not tell apart is image, as nearly all of
 * such an answer is, and image is dearer; its thoughts are text. Undefined when there is no count.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function geminiImageTokens(metadata: readonly unknown[]): ImageTokens | undefined {
  const counts = metadata.map(countsOf);
  const sum = (pick: (count: Counts) => number): number =>
    counts.reduce((total, count) => total + (count ? pick(count) : 0), 0);
  if (counts.length === 0 || counts.some((count) => count === undefined)) return undefined;
  const text = sum(({ text }) => text);
  const sources = sum(({ sources }) => sources);
  const words = sum(({ words }) => words);
  const images = sum(({ images }) => images);
  return {
    usage: {
      ...NO_USAGE,
      inputTokens: text,
      imageInputTokens: sources,
      outputTokens: words,
      imageOutputTokens: images,
    },
    wire: {
      total_tokens: text + sources + words + images,
      input_tokens: text + sources,
      output_tokens: words + images,
      input_tokens_details: { text_tokens: text, image_tokens: sources },
      output_tokens_details: { text_tokens: words, image_tokens: images },
    },
  };
}

/** Of one answer: what was read as text and as images, and what was written as each. */
interface Counts {
  readonly text: number;
  readonly sources: number;
  readonly words: number;
  readonly images: number;
}

function countsOf(metadata: unknown): Counts | undefined {
  const usage = metadata as UsageMetadata | null | undefined;
  const prompt = tokenCount(usage?.promptTokenCount);
  const answer = countOrZero(usage?.candidatesTokenCount);
  const thoughts = countOrZero(usage?.thoughtsTokenCount);
  const tools = countOrZero(usage?.toolUsePromptTokenCount);
  if (prompt === undefined || answer === undefined) return undefined;
  if (thoughts === undefined || tools === undefined) return undefined;
  const details = usage?.candidatesTokensDetails;
  const isToldApart = listOf(details).length > 0;
  const images = isToldApart ? Math.min(tokensOf('IMAGE', details), answer) : answer;
  const sources = Math.min(tokensOf('IMAGE', usage?.promptTokensDetails), prompt);
  return { text: prompt - sources + tools, sources, words: answer - images + thoughts, images };
}

interface UsageMetadata {
  readonly promptTokenCount?: unknown;
  readonly promptTokensDetails?: unknown;
  readonly candidatesTokenCount?: unknown;
  readonly candidatesTokensDetails?: unknown;
  readonly thoughtsTokenCount?: unknown;
  readonly toolUsePromptTokenCount?: unknown;
}
