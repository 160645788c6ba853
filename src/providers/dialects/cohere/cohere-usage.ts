import { NO_USAGE, tokenCount, type Usage } from '../../../contract/usage.js';

/**
 * Cohere's usage: the billed units, which leave out the tokens that Cohere adds itself, else all
 * tokens. Cached tokens are among them and cost the same.
 * https://docs.cohere.com/docs/how-does-cohere-pricing-work
 */
export function cohereUsage(wire: unknown): Usage | undefined {
  const { billed_units: billed, tokens } = (wire ?? {}) as CohereUsage;
  return countsIn(billed) ?? countsIn(tokens);
}

function countsIn(counts: Counts | null | undefined): Usage | undefined {
  const inputTokens = tokenCount(counts?.input_tokens);
  const outputTokens = tokenCount(counts?.output_tokens);
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  return { ...NO_USAGE, inputTokens, outputTokens };
}

interface Counts {
  readonly input_tokens?: unknown;
  readonly output_tokens?: unknown;
}

interface CohereUsage {
  readonly billed_units?: Counts | null;
  readonly tokens?: Counts | null;
}
