/** A text without the mark of its encoding that some write before it, although JSON cannot begin so. */
export function withoutMark(text: Buffer): Buffer {
  return text.subarray(0, MARK.length).equals(MARK) ? text.subarray(MARK.length) : text;
}

const MARK = Buffer.from('\ufeff');
