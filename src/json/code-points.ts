/** The length of a text as Python and the documentation count it; an emoji is one. */
export function codePoints(text: string, end = text.length): number {
  // Found at once where it cannot be, as in base64.
  if (!PAIR.test(text)) return end;
  let count = end;
  for (let at = 1; at < end; at++) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) count--;
  }
  return count;
}

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/;

function isHigh(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
