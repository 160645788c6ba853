import { NO_BOUNDS, REQUEST_BOUNDS } from './bounds.js';
import { countingSteps } from './excess.js';
import { type Fields, isObject, listOf, membersOf } from './values.js';

/**
 * How many objects, arrays and members stand as JSON in the arguments of a conversation's calls, counted in
 * steps: in a body they are but texts, and a translation parses each of them. One that has more than any body
 * may is never parsed, and counts for nothing. No more are counted than make more than `most`.
 */
export function* innerParts(body: unknown, most: number): Generator<void, number> {
  const { messages, input } = membersOf(body);
  let parts = 0;
  for (const turns of [listOf(messages), listOf(input)]) {
    let passed = 0;
    for (const turn of turns) {
      if (++passed % STEP === 0) yield;
      if (!isObject(turn)) continue;
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
const BOUNDS = { ...NO_BOUNDS, parts: REQUEST_BOUNDS.parts };

/** A turn of chat completions has calls, and an item of Responses may be one. */
function argumentsIn(turn: Fields): readonly string[] {
  const { tool_calls: calls, function_call: old } = turn;
  const functions = listOf(calls).map((call) => membersOf(call).function);
  return [turn, old, ...functions]
    .map((called) => membersOf(called).arguments)
    .filter((text) => typeof text === 'string');
}
