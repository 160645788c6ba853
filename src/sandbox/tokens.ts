const BYTES_PER_TOKEN = 4;
const MOST_PIECES = 256;
const SHORTEST_PIECE = 4;

/** The sandbox's own count of tokens: four bytes of UTF-8 each, and never none. */
export function countTokens(...texts: readonly string[]): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return Math.max(1, Math.ceil(bytes / BYTES_PER_TOKEN));
}

/** The longest beginning of the text that is at most `most` tokens and ends on a whole character. */
export function cutToTokens(text: string, most: number): string {
  const bytes = most * BYTES_PER_TOKEN;
  if (Buffer.byteLength(text) <= bytes) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(bytes)).read);
}

/** The text in the pieces that a stream sends: at most 256 or so, and no character is split. */
export function* piecesOf(text: string): Generator<string> {
  const length = Math.max(SHORTEST_PIECE, Math.ceil(text.length / MOST_PIECES));
  for (let start = 0; start < text.length;) {
    const end = start + length;
    const next = endsInsidePair(text, end) ? end + 1 : end;
    yield text.slice(start, next);
    start = next;
  }
}

function endsInsidePair(text: string, end: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(end));
}
