import { type Edits } from '../json/splice.js';

/** A request body that has passed its checks. */
export interface CheckedBody<T> {
  /** The parsed body with coerced and defaulted top-level fields; unknown fields are in it too. */
  readonly value: T;
  /** The caller's own bytes, decompressed. */
  readonly bytes: Buffer;
  /** What the checks changed, to be spliced into `bytes` before they go on. */
  readonly edits: Edits;
}
