import { type Model } from '../contract/model.js';
import { type Fields, isObject } from '../json/values.js';
import { type Call } from './call.js';

/** Where the callers' formats bound the length of an answer. */
const BOUNDS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;

/**
 * The call as it goes to this model. A bound that was meant for the model which the caller named is
 * refused by a fallback that writes less, so it becomes the most that the fallback writes, and a budget
 * of thinking at most half of that. A model that was named judges for itself what it is asked.
 */
export function withinLimit(call: Call, { id, maxOutputTokens: limit }: Model): Call {
  if (limit === undefined || id === call.requestedModel) return call;
  const asked = call.body.value as Fields;
  const beyond = BOUNDS.filter((name) => Number(asked[name]) > limit);
  if (beyond.length === 0) return call;
  const lowered = {
    ...Object.fromEntries(beyond.map((name) => [name, limit])),
    ...thinkingWithin(asked, Math.floor(limit / 2)),
  };
  const texts = Object.entries(lowered).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  const { body } = call;
  const edits = new Map([...body.edits, ...texts]);
  return { ...call, body: { ...body, value: { ...asked, ...lowered }, edits } };
}

/** Thinking is written too, and what is left over is the answer. */
function thinkingWithin({ thinking }: Fields, most: number): Fields {
  if (!isObject(thinking) || !(Number(thinking.budget_tokens) > most)) return {};
  return { thinking: { ...thinking, budget_tokens: most } };
}
