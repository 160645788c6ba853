/** Bytes of text to a token: low for prose, so that an estimate is rather too high. */
const BYTES_PER_TOKEN = 3;
/** What an image or document counts for, whatever its size. */
export const TOKENS_PER_ATTACHMENT = 1_600;
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
  const { tokens, bytes } = measure(body);
  return tokens + tokensOfBytes(bytes);
}

/** The most input tokens that the body may come to: outside of ASCII every byte may be one. */
export function mostInput(body: unknown): number {
  const { tokens, bytes, wideBytes } = measure(body);
  return tokens + tokensOfBytes(bytes - wideBytes) + wideBytes;
}

interface Measures {
  /** Attachments, and tokens that were sent as numbers. */
  tokens: number;
  /** Of text in UTF-8. */
  bytes: number;
  /** Those of them that are not ASCII, or a few more. */
  wideBytes: number;
}

/** Long lists are counted once, however often they are asked about; no list ever changes. */
const LONG_LIST = 16;
const counted = new WeakMap<readonly unknown[], Measures>();

function measure(body: unknown): Measures {
  const measures = { tokens: 0, bytes: 0, wideBytes: 0 };
  visit(body, '', measures);
  return measures;
}

function visit(value: unknown, key: string, measures: Measures): void {
  if (typeof value === 'number') measures.tokens += 1;
  else if (value instanceof Blob) measures.tokens += TOKENS_PER_ATTACHMENT;
  else if (typeof value === 'string') {
    if (ATTACHMENT_FIELDS.has(key) && value.length > 64) {
      measures.tokens += TOKENS_PER_ATTACHMENT;
      return;
    }
    const bytes = Buffer.byteLength(value);
    measures.bytes += bytes;
    // A character of two bytes or more has at most twice as many as it has more than units.
    measures.wideBytes += Math.min(bytes, 2 * (bytes - value.length));
  } else if (Array.isArray(value)) {
    if (value.length >= LONG_LIST) visitLong(value, key, measures);
    else for (const element of value) visit(element, key, measures);
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) visit(member, name, measures);
  }
}

function visitLong(list: readonly unknown[], key: string, measures: Measures): void {
  let own = counted.get(list);
  if (!own) {
    own = { tokens: 0, bytes: 0, wideBytes: 0 };
    for (const element of list) visit(element, key, own);
    counted.set(list, own);
  }
  measures.tokens += own.tokens;
  measures.bytes += own.bytes;
  measures.wideBytes += own.wideBytes;
}
