/** How much a text may have. */
export interface Bounds {
  /** To which arrays and objects nest. */
  readonly depth: number;
  /** Objects, arrays, members, and texts in arrays. */
  readonly parts: number;
  /** Of one object. */
  readonly members: number;
}

/** As much as there is: what has been bounded otherwise. */
export const NO_BOUNDS: Bounds = { depth: Infinity, parts: Infinity, members: Infinity };

/**
 * What the JSON of a request may have. Objects, arrays, members and texts take time and memory, however
 * short they are, since of each a translation may make a block of a conversation; and to list, copy or write
 * the members of one object cannot be done in slices.
 */
export const REQUEST_BOUNDS: Bounds = { depth: 64, parts: 250_000, members: 20_000 };

/**
 * What a large answer may have, whose length alone bounds little: thirty million brackets are more than the
 * heap holds. Twenty alternatives for each token (`top_logprobs`) are five parts each, and four million for
 * forty thousand tokens.
 */
export const ANSWER_BOUNDS: Bounds = { depth: 100_000, parts: 5_000_000, members: 100_000 };

/** The same of an event of a stream, which is not read in slices. */
export const EVENT_BOUNDS: Bounds = { ...ANSWER_BOUNDS, parts: 2_000_000 };
