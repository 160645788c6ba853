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
  return hasLargeNumber(inside) || !isSeparated(inside) ? undefined : close + 1;
}

/** How many commas there are from one place to another; four bytes at once, as there are many. */
export function commasIn(text: Buffer, from: number, end: number): number {
  const shift = (4 - ((text.byteOffset + from) & 3)) & 3;
  const first = Math.min(from + shift, end);
  const words = new Int32Array(text.buffer, text.byteOffset + first, (end - first) >> 2);
  let commas = 0;
  // An iterator would take longer than all the rest.
  for (let at = 0; at < words.length; at++) {
    const rest = (words[at] ?? 0) ^ COMMAS;
    // The highest bit of each byte that is a comma.
    const found = ~(((rest & LOW_BITS) + LOW_BITS) | 0 | rest | LOW_BITS);
    commas += Math.imul((found >>> 7) & EACH_BYTE, EACH_BYTE) >>> 24;
  }
  for (let at = from; at < first; at++) if (text[at] === COMMA) commas++;
  for (let at = first + 4 * words.length; at < end; at++) if (text[at] === COMMA) commas++;
  return commas;
}

const COMMA = 0x2c;
const COMMAS = 0x2c2c2c2c;
const LOW_BITS = 0x7f7f7f7f;
const EACH_BYTE = 0x01010101;
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

/** Whether there is one comma between two numbers, and a number at all. */
function isSeparated(inside: Buffer): boolean {
  if (inside[0] === COMMA || inside.at(-1) === COMMA || inside.includes(',,')) return false;
  if (!SPACES.some((space) => inside.includes(space))) return true;
  return !/[^,\s]\s+[^,\s]|,\s*(?:,|$)|^\s*(?:,|$)/.test(inside.toString('latin1'));
}

const SPACES = [' ', '\n', '\r', '\t'].map((space) => space.charCodeAt(0));
