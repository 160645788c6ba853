/** As many short pieces are joined: each takes a few hundred bytes of its own, also for a single byte. */
const MOST_PIECES = 1_024;
/** What is shorter has its place in the memory of every call. */
const SHORT_BYTES = 64 * 1024;
const NOTHING = Buffer.alloc(0);

/** The pieces of a stream that wait for the end of their event. */
export class PendingPieces {
  /** Of all that waits. */
  length = 0;
  /** The last bytes of what waits, so many as a blank line may begin with. */
  tail: Buffer = NOTHING;
  private joined: Buffer[] = [];
  private pieces: Buffer[] = [];
  /** Of how many it was told. */
  private heldBytes = SHORT_BYTES;

  /** @param hold is told of the bytes of the longest event, as they come in. */
  constructor(private readonly hold: (bytes: number) => void = () => undefined) {}

  add(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > this.heldBytes) {
      this.hold(this.length - this.heldBytes);
      this.heldBytes = this.length;
    }
    this.pieces.push(piece);
    this.tail = (piece.length < 3 ? Buffer.concat([this.tail, piece]) : piece).subarray(-3);
    if (this.pieces.length === MOST_PIECES) this.joined.push(Buffer.concat(this.pieces.splice(0)));
  }

  /** All that waits, as one; nothing waits then. A single piece is not copied. */
  take(): Buffer {
    const [first = NOTHING, ...others] = [...this.joined, ...this.pieces];
    const all = others.length === 0 ? first : Buffer.concat([first, ...others], this.length);
    this.length = 0;
    this.tail = NOTHING;
    this.joined = [];
    this.pieces = [];
    return all;
  }
}
