import { isObject } from '../../json/values.js';

/** Where the formats of conversations have what a model said, thought or called, and what leads there. */
const SAID = new Set([
  ...['text', 'thinking', 'reasoning', 'reasoning_content', 'refusal', 'summary'],
  ...['message', 'content', 'code', 'arguments', 'input'],
  ...['tool_calls', 'function', 'function_call', 'custom'],
]);
/** What a provider's own tools brought was not said by the model. */
const RESULT = /_result$/;

/**
 * How many bytes of UTF-8 an answer says, in whichever format: its texts, its thinking and the input
 * of its calls. Signatures, images and sources are not charged for by their length.
 */
export function bytesSaid(answer: unknown): number {
  if (typeof answer === 'string') return Buffer.byteLength(answer);
  if (Array.isArray(answer)) return sumOf(answer.map(bytesSaid));
  if (!isObject(answer)) return 0;
  if (typeof answer.type === 'string' && RESULT.test(answer.type)) return 0;
  const said = Object.entries(answer).filter(([name]) => SAID.has(name));
  return sumOf(
    said.map(([name, value]) =>
      bytesSaid(name === 'input' && isObject(value) ? JSON.stringify(value) : value),
    ),
  );
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
