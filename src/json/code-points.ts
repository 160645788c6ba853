/** The length of a text as Python and the documentation count it; an emoji is one. */
export function codePoints(text: string, end = text.length): number {
  // Found at once where it cannot be, as in base64.
  if (!PAIR.test(text)) return end;
  let count = 0;
  for (let at = 0; at < end; count++) at = next(text, at, end);
  return count;
}

/** Whether a text has more than so many code points; what is beyond them is not looked at. */
export function hasMoreCodePoints(text: string, most: number): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= most; count++) at = next(text, at, text.length);
  return count > most;
}

/** Where the code point ends that begins at `at`. */
function next(text: string, at: number, end: number): number {
  const isPair = isHigh(text.charCodeAt(at)) && at + 1 < end && isLow(text.charCodeAt(at + 1));
  return isPair ? at + 2 : at + 1;
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
