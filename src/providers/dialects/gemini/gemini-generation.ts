/**
 * The generation that a model's name tells, such as 2.5; the newest for `…-latest`. Undefined for
 * tuned models and others whose name tells none.
 */
export function geminiGeneration(name: string): number | undefined {
  const [, told] = /(?:^|\/)gemini-(\d+(?:\.\d+)?)(?=-|$)/.exec(name) ?? [];
  if (told !== undefined) return Number(told);
  return /(?:^|\/)gemini-.*latest$/.test(name) ? NEWEST : undefined;
}

/**
 * Since its third generation Gemini refuses a call without its signature, and takes images inside a
 * function's result. https://ai.google.dev/gemini-api/docs/thought-signatures
 */
export function isSinceGemini3(name: string): boolean {
  return (geminiGeneration(name) ?? 0) >= 3;
}

const NEWEST = Number.POSITIVE_INFINITY;
