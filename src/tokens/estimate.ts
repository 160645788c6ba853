/** Bytes of text to a token: low for prose, so that an estimate is rather too high. */
const BYTES_PER_TOKEN = 3;
/** What an image or document counts for, whatever its size. */
const TOKENS_PER_ATTACHMENT = 1_600;
/** Fields that hold an attachment's bytes or address rather than text. */
const ATTACHMENT_FIELDS = new Set(['data', 'url', 'image_url', 'file_data', 'b64_json']);

/** A quick estimate of the tokens in this much UTF-8 text; bounded work, unlike a tokenizer. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * A quick estimate of the input tokens of a request's body: its texts by length, a fixed count for
 * each attachment, one for each token that was sent as a number.
 */
export function estimateInput(body: unknown): number {
  let bytes = 0;
  let tokens = 0;
  const visit = (value: unknown, key: string): void => {
    if (typeof value === 'number') tokens += 1;
    else if (typeof value === 'string') {
      if (ATTACHMENT_FIELDS.has(key) && value.length > 64) tokens += TOKENS_PER_ATTACHMENT;
      else bytes += Buffer.byteLength(value);
    } else if (Array.isArray(value)) {
      for (const element of value) visit(element, key);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) visit(member, name);
    }
  };
  visit(body, '');
  return tokens + tokensOfBytes(bytes);
}
