/**
 * Where the array of plain numbers at `from` ends; undefined when anything else is in it, or a number
 * that may be too large for a float. Only the native `indexOf` sees each byte.
 */
export function numbersEnd(text: Buffer, from: number): number | undefined {
  const close = text.indexOf(CLOSE_BRACKET, from);
  if (close < 0) return undefined;
  const inside = text.subarray(from + 1, close);
  if (inside.length === 0) return undefined;
  for (const byte of FOREIGN) if (inside.includes(byte)) return undefined;
  return hasLargeNumber(inside) ? undefined : close + 1;
}

/** Where an array begins, and where it ends. */
export interface Span {
  readonly from: number;
  readonly end: number;
}

/**
 * Whether two arrays of plain numbers have as many. Long ones whose texts differ by less than a sixteenth are
 * taken to: a model writes its numbers alike, and to count them takes eight times as long as all the rest.
 */
export function areOfOneLength(text: Buffer, one: Span, other: Span): boolean {
  const [size, second] = [one, other].map(({ from, end }) => end - from) as [number, number];
  if (size > LONG_BYTES && 16 * Math.abs(size - second) < size) return true;
  return commasIn(text, one) === commasIn(text, other);
}

const LONG_BYTES = 1_024;

function commasIn(text: Buffer, { from, end }: Span): number {
  let commas = 0;
  for (let at = from; at < end; at++) if (text[at] === COMMA) commas++;
  return commas;
}

const COMMA = 0x2c;
const CLOSE_BRACKET = 0x5d;
const MINUS = 0x2d;
const LETTER_E = 0x65;
/** A string, an object or a list, `NaN` and `Infinity`, `null`, and an exponent that is not looked at. */
const FOREIGN = ['"', '{', '[', 'N', 'n', 'E'].map((character) => character.charCodeAt(0));

/** Whether an exponent is not negative. `true` and `false` are found by their `e` as well. */
function hasLargeNumber(inside: Buffer): boolean {
  for (let at = inside.indexOf(LETTER_E); at >= 0; at = inside.indexOf(LETTER_E, at + 1)) {
    if (inside[at + 1] !== MINUS) return true;
  }
  return false;
}
