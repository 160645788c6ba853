import { NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';

/**
 * OpenAI's usage of an images call, whose totals hold text and image tokens together.
 * https://platform.openai.com/docs/api-reference/images/object
 */
export function openaiImagesUsage(wire: unknown, images: number): Usage | undefined {
  const usage = wire as OpenaiImagesUsage | null | undefined;
  const input = tokenCount(usage?.input_tokens);
  const output = tokenCount(usage?.output_tokens);
  if (input === undefined || output === undefined) return undefined;
  const cached = usage?.input_tokens_details?.cached_tokens_details;
  const imageInput = Math.min(tokenCount(usage?.input_tokens_details?.image_tokens) ?? 0, input);
  const cachedImage = Math.min(tokenCount(cached?.image_tokens) ?? 0, imageInput);
  const cachedText = Math.min(tokenCount(cached?.text_tokens) ?? 0, input - imageInput);
  const textOutput = Math.min(tokenCount(usage?.output_tokens_details?.text_tokens) ?? 0, output);
  return {
    ...NO_USAGE,
    inputTokens: input - imageInput - cachedText,
    cacheReadTokens: cachedText,
    imageInputTokens: imageInput - cachedImage,
    cachedImageInputTokens: cachedImage,
    outputTokens: textOutput,
    imageOutputTokens: output - textOutput,
    images,
  };
}

interface OpenaiImagesUsage {
  input_tokens?: unknown;
  output_tokens?: unknown;
  input_tokens_details?: {
    image_tokens?: unknown;
    cached_tokens_details?: { image_tokens?: unknown; text_tokens?: unknown } | null;
  } | null;
  output_tokens_details?: { text_tokens?: unknown } | null;
}
