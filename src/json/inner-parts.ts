import { NO_BOUNDS, REQUEST_BOUNDS } from './bounds.js';
import { countingSteps } from './excess.js';
import { type Fields, isObject, listOf, membersOf } from './values.js';

/**
 * How many of `Bounds.parts` a translation makes of a body besides those that stand in it, counted in steps:
 * of the JSON in the arguments of a conversation's calls, which in a body are but texts, and of texts in a list
 * of content, each of which becomes a block. Arguments that have more than any body may are never parsed, and
 * count for nothing. No more are counted than make more than `most`.
 */
export function* innerParts(body: unknown, most: number): Generator<void, number> {
  const { messages, input } = membersOf(body);
  let parts = 0;
  for (const turns of [listOf(messages), listOf(input)]) {
    let passed = 0;
    for (const turn of turns) {
      if (++passed % STEP === 0) yield;
      if (!isObject(turn)) continue;
      for (const part of listOf(turn.content)) if (typeof part === 'string') parts += BLOCK_PARTS;
      if (parts > most) return parts;
      for (const text of argumentsIn(turn)) {
        const counted = yield* countingSteps(Buffer.from(text), BOUNDS);
        if (typeof counted === 'number') parts += counted;
        if (parts > most) return parts;
      }
    }
  }
  return parts;
}

/** So many turns, or numbers of an embedding's input, are passed in a step. */
const STEP = 4_096;
/** Besides its text: the `type` and the `text` of a block. */
const BLOCK_PARTS = 2;
const BOUNDS = { ...NO_BOUNDS, parts: REQUEST_BOUNDS.parts };

/** A turn of chat completions has calls, and an item of Responses may be one. */
function argumentsIn(turn: Fields): readonly string[] {
  const { tool_calls: calls, function_call: old } = turn;
  const functions = listOf(calls).map((call) => membersOf(call).function);
  return [turn, old, ...functions]
    .map((called) => membersOf(called).arguments)
    .filter((text) => typeof text === 'string');
}
