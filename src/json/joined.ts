import { LARGE_BYTES, timeSliced } from './time-sliced.js';

/** The pieces as one, which has memory of its own where it is large; then they are copied in time slices. */
export async function joined(pieces: readonly Uint8Array[], length: number): Promise<Buffer> {
  return length < LARGE_BYTES
    ? Buffer.concat(pieces, length)
    : timeSliced(joinSteps(pieces, length));
}

/** The pieces, `length` bytes together, as one; each is copied in a step. */
export function* joinSteps(pieces: Iterable<Uint8Array>, length: number): Generator<void, Buffer> {
  const all = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
    yield;
  }
  return all;
}
