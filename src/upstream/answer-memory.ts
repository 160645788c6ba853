import { joined } from '../json/joined.js';
import { type IncomingAnswer } from '../providers/transport.js';

/** Shorter answers come in a few pieces, which are joined in the end. */
const LEAST_BYTES = 128 * 1024;

/**
 * No more is taken at once for an answer that does not say how long it is, and no more than has come so far.
 */
const MOST_AT_ONCE_BYTES = 4 * 1024 * 1024;

/**
 * The bytes of an answer while it comes in. Those of a long one are copied into memory that can be given
 * back at once: left to the garbage collector, they would stay long after they are of use.
 */
export class AnswerMemory {
  private pieces: Buffer[] = [];
  private readonly blocks: Buffer[] = [];
  /** How much of the last block is taken. */
  private filled = 0;
  private length = 0;

  /** @param mostBytes no longer answer is added. */
  constructor(headers: IncomingAnswer['headers'], mostBytes: number) {
    const told = Number(headers['content-length'] ?? 0);
    const isOfUse = told >= LEAST_BYTES && told <= mostBytes && !headers['content-encoding'];
    if (isOfUse) this.blocks.push(Buffer.allocUnsafeSlow(told));
  }

  add(piece: Buffer): void {
    this.length += piece.length;
    if (this.blocks.length === 0 && this.length < LEAST_BYTES) {
      this.pieces.push(piece);
      return;
    }
    for (const each of [...this.pieces, piece]) this.copy(each);
    this.pieces = [];
  }

  /** All that was added; nothing can be added any more. */
  async joined(): Promise<{ readonly bytes: Buffer; readonly free?: () => void }> {
    const [first, ...others] = this.blocks;
    if (!first) {
      const [only] = this.pieces;
      const bytes = this.pieces.length === 1 && only ? only : Buffer.concat(this.pieces);
      return { bytes };
    }
    if (others.length === 0) return freeable(first.subarray(0, this.filled));
    const filled = this.blocks.map((block, index) =>
      index < others.length ? block : block.subarray(0, this.filled),
    );
    const bytes = await joined(filled, this.length);
    this.free();
    return freeable(bytes);
  }

  /** Gives the memory back of an answer that is not joined. */
  free(): void {
    for (const block of this.blocks.splice(0)) freeing(block)();
  }

  private copy(piece: Buffer): void {
    let from = 0;
    while (from < piece.length) {
      const block = this.blocks.at(-1);
      const copied = block ? piece.copy(block, this.filled, from) : 0;
      from += copied;
      this.filled += copied;
      if (from === piece.length) return;
      this.blocks.push(Buffer.allocUnsafeSlow(Math.min(this.length, MOST_AT_ONCE_BYTES)));
      this.filled = 0;
    }
  }
}

function freeable(bytes: Buffer) {
  return { bytes, free: freeing(bytes) };
}

function freeing({ buffer }: Buffer): () => void {
  return () => void (buffer as ArrayBuffer).transfer(0);
}
