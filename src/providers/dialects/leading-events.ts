/** A provider that sends more of them is at work, and its caller may wait for a sign of that. */
const MOST_HELD_BACK = 3;

/** Nor is more kept in memory for that. */
const MOST_HELD_BYTES = 64 * 1024;

/**
 * What a provider sends before its answer begins. The first of it is held back: it would bind the caller
 * to a model that may still fail.
 */
export class LeadingEvents {
  private count = 0;
  private bytes = 0;
  private held: Buffer[] = [];

  /** Counts one more that only says that the provider is there, and tells whether it is left out. */
  leavesOut(): boolean {
    this.count += 1;
    return this.count <= MOST_HELD_BACK;
  }

  /** Holds one more back; or gives it, behind those that were held, when it is one too many. */
  hold(piece: Buffer): Buffer | undefined {
    this.count += 1;
    this.bytes += piece.length;
    this.held.push(piece);
    const isTooMuch = this.count > MOST_HELD_BACK || this.bytes > MOST_HELD_BYTES;
    return isTooMuch ? this.release() : undefined;
  }

  /** What is held back, which goes to the caller now. */
  release(): Buffer | undefined {
    if (this.held.length === 0) return undefined;
    const pieces = this.held;
    this.held = [];
    return Buffer.concat(pieces);
  }
}
