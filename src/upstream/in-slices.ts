/** More than a connection takes of a body without asking to wait. */
export const SLICE_BYTES = 64 * 1024;

/** A body as it comes, in pieces of any length. */
export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

const NOTHING = Buffer.alloc(0);

/**
 * The same bytes in slices that are all so long, if there are that many. The connection asks to wait for each
 * of them, so that the body ends only when all of it has left: a connection on which a rest still waits when
 * the answer has been read is not used again.
 */
export async function* inSlices(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let next: Uint8Array = NOTHING;
  let behind: Uint8Array = NOTHING;
  for await (const piece of pieces) {
    behind = joined(behind, piece);
    if (behind.length < SLICE_BYTES) continue;
    if (next.length > 0) yield next;
    next = behind;
    behind = NOTHING;
  }
  const last = joined(next, behind);
  if (last.length > 0) yield last;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  return other.length === 0 ? one : Buffer.concat([one, other]);
}
