/** When the database was last known to answer, and whether it takes what is written. */
export class SignsOfLife {
  /** It answers, but the last write was refused: a disk that is full, or was made read-only. */
  isRefusing = false;
  /** On the monotonic clock. */
  private seenAt = -Infinity;

  /** Whether there was one a moment ago, and none of the contrary since. */
  get isFresh(): boolean {
    return performance.now() - this.seenAt < FRESH_MS;
  }

  /** Whether it did not answer when it was asked last. */
  get isLost(): boolean {
    return this.seenAt === -Infinity;
  }

  seen(): void {
    this.seenAt = performance.now();
  }

  lost(): void {
    this.seenAt = -Infinity;
  }
}

const FRESH_MS = 200;
