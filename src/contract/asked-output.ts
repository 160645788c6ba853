interface Bounds {
  readonly max_tokens?: unknown;
  readonly max_completion_tokens?: unknown;
  readonly max_output_tokens?: unknown;
}

/**
 * The most tokens that a request lets an answer have; undefined where it sets no bound. Of several the
 * highest: which one is obeyed is for the format to say that a model speaks.
 */
export function mostOutputAsked(body: object): number | undefined {
  const { max_tokens, max_completion_tokens, max_output_tokens } = body as Bounds;
  const bounds = [max_tokens, max_completion_tokens, max_output_tokens].filter(isCount);
  return bounds.length > 0 ? Math.max(...bounds) : undefined;
}

/** However large: what cannot be told apart from its neighbours is a bound all the same. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
