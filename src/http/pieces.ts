/** From this length on a piece is kept as it came. */
const LONG_BYTES = 4 * 1024;
const BLOCK_BYTES = 64 * 1024;
const NO_ROOM = Buffer.alloc(0);

/**
 * The pieces of a body as it comes in. Short ones are copied together into blocks: each buffer takes a
 * few hundred bytes of its own, also for the single byte of a chunk.
 */
export class Pieces {
  private readonly kept: Buffer[] = [];
  /** What is left of the last block, and how much of its beginning is filled. */
  private block = NO_ROOM;
  private filled = 0;
  private readonly blockBytes: number;

  /** @param length of them all, where it is known: most bodies are far shorter than a block. */
  constructor(length = BLOCK_BYTES) {
    // Any short piece has room in it.
    this.blockBytes = Math.min(Math.max(length, LONG_BYTES), BLOCK_BYTES);
  }

  add(piece: Buffer): void {
    if (piece.length >= LONG_BYTES) {
      this.keepFilled();
      this.kept.push(piece);
      return;
    }
    if (piece.length > this.block.length - this.filled) {
      this.keepFilled();
      this.block = Buffer.allocUnsafeSlow(this.blockBytes);
    }
    this.filled += piece.copy(this.block, this.filled);
  }

  /** All that was added, in its order. */
  all(): readonly Buffer[] {
    this.keepFilled();
    return this.kept;
  }

  private keepFilled(): void {
    if (this.filled === 0) return;
    this.kept.push(this.block.subarray(0, this.filled));
    this.block = this.block.subarray(this.filled);
    this.filled = 0;
  }
}
