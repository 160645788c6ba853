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

/** How many numbers are in an array of plain ones; a loop, as a call of `indexOf` for each takes longer. */
export function numbersIn(text: Buffer, from: number, end: number): number {
  let numbers = 1;
  for (let at = from; at < end; at++) if (text[at] === COMMA) numbers++;
  return numbers;
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
