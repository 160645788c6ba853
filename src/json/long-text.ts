const BACKSLASH = 0x5c;
/** The longest escape is `\uffff`: a backslash and these. */
const ESCAPED_BYTES = 5;

/**
 * What `JSON.parse` makes of a long text, in steps.
 *
 * @param start is behind the opening quote, `end` at the closing one.
 * @param step bytes that are parsed in one step.
 * @throws SyntaxError
 */
export function* longText(
  json: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  step: number,
): Generator<void, string> {
  let text: string | undefined;
  for (let from = start; from < end;) {
    const to = cut(json, from, Math.min(from + step, end), end);
    const piece = JSON.parse(`"${json.toString('utf8', from, to)}"`) as string;
    // Until now each byte was a character, as in base64: such a text is copied at its end. Whoever
    // reads one that was put together of pieces has to wait until they are joined.
    if (piece.length < to - from) text ??= json.toString('latin1', start, from);
    if (text !== undefined) text += piece;
    from = to;
    yield;
  }
  return text ?? json.toString('latin1', start, end);
}

/** The first place from `at` on where neither a character nor an escape is cut through. */
function cut(json: Buffer, from: number, at: number, end: number): number {
  for (let place = at; place < end; place++) {
    if (json[place] === BACKSLASH) {
      let slashes = 0;
      while (place - slashes > from && json[place - slashes - 1] === BACKSLASH) slashes++;
      if (slashes % 2 === 0) return place;
    } else if (!isContinuation(json[place])) {
      const before = json.subarray(Math.max(from, place - ESCAPED_BYTES), place);
      if (!before.includes(BACKSLASH)) return place;
    }
  }
  return end;
}

/** Whether a byte of UTF-8 is not the first of its character. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
