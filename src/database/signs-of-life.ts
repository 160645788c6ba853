/** When the database was last known to answer. */
export class SignsOfLife {
  /** On the monotonic clock. */
  private seenAt = -Infinity;

  /** Whether there was one a moment ago, and none of the contrary since. */
  get isFresh(): boolean {
    return performance.now() - this.seenAt < FRESH_MS;
  }

  seen(): void {
    this.seenAt = performance.now();
  }

  lost(): void {
    this.seenAt = -Infinity;
  }
}

const FRESH_MS = 200;
