import { type Bounds, NO_BOUNDS } from './bounds.js';
import { isEscaped, nextQuote } from './scan.js';
import { atOnce } from './time-sliced.js';

const [QUOTE, COLON, OPEN_BRACKET, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = Buffer.from('":[]{}');

/** Bytes that are looked at in one step. */
const STEP = 65_536;

/** Whether arrays and objects nest at most `most` deep, judged on the text before it is parsed. */
export function nestsAtMost(text: Buffer, most: number): boolean {
  return excess(text, { ...NO_BOUNDS, depth: most }) === undefined;
}

/**
 * What text has too much of, judged before it is parsed: it nests deeper than `depth`, has more objects,
 * arrays, members and texts in arrays than `parts`, or an object with more than `members`.
 */
export function excess(text: Buffer, most: Bounds): keyof Bounds | undefined {
  const counted = countedParts(text, most);
  return typeof counted === 'number' ? undefined : counted;
}

/** How many of `parts` text has, or what it has too much of, as `excess` says. */
export function countedParts(text: Buffer, most: Bounds): number | keyof Bounds {
  return atOnce(countingSteps(text, most));
}

/** `countedParts` of a large text, in steps. */
export function* countingSteps(text: Buffer, most: Bounds): Generator<void, number | keyof Bounds> {
  /** Of each open container. */
  const members = [0];
  const isObject = [false];
  let depth = 0;
  let parts = 0;
  let pauseAt = STEP;
  for (let at = 0; at < text.length; at++) {
    if (at >= pauseAt) {
      yield;
      pauseAt = at + STEP;
    }
    const byte = text[at];
    if (byte === QUOTE) {
      at = nextQuote(text, at + 1);
      while (isEscaped(text, at)) {
        if (at >= pauseAt) {
          yield;
          pauseAt = at + STEP;
        }
        at = nextQuote(text, at + 1);
      }
      if (at < 0) return parts;
      // A name is counted by its colon.
      if (!isObject[depth] && ++parts > most.parts) return 'parts';
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > most.depth) return 'depth';
      if (++parts > most.parts) return 'parts';
      members[depth] = 0;
      isObject[depth] = byte === OPEN_BRACE;
    } else if (byte === COLON) {
      if (++parts > most.parts) return 'parts';
      const count = (members[depth] ?? 0) + 1;
      if (count > most.members) return 'members';
      members[depth] = count;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
  return parts;
}
