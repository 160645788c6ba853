import { type Fields, isText, membersOf } from '../json/values.js';

/**
 * The most tokens that a request lets an answer have; undefined where it sets no bound. Of several the
 * highest: which one is obeyed is for the format to say that a model speaks.
 */
export function mostOutputAsked(body: object): number | undefined {
  const { max_tokens, max_completion_tokens, max_output_tokens, ...others } = body as Fields;
  const geminis = [others.generationConfig, others.generation_config].flatMap(geminiBounds);
  const bounds = [max_tokens, max_completion_tokens, max_output_tokens, ...geminis].filter(isCount);
  return bounds.length > 0 ? Math.max(...bounds) : undefined;
}

/** Those in Gemini's own settings, in either spelling. Google takes a number as a text, too. */
function geminiBounds(settings: unknown): readonly unknown[] {
  return Object.entries(membersOf(settings))
    .filter(([name]) => OUTPUT_BOUND.test(name))
    .map(([, value]) => (isText(value) ? Number(value) : value));
}

const OUTPUT_BOUND = /^max_?output_?tokens$/i;

/** However large: what cannot be told apart from its neighbours is a bound all the same. */
function isCount(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}
