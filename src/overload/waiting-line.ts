interface Waiting {
  readonly account: string;
  readonly sinceMs: number;
  /** @param mayBegin false when it has waited for too long. */
  readonly end: (mayBegin: boolean) => void;
}

/** Calls that wait until others have ended; of those that may begin, first come first served. */
export class WaitingLine {
  private readonly waiting = new Set<Waiting>();

  get length(): number {
    return this.waiting.size;
  }

  /**
   * Stands in line.
   *
   * @param end is called when it may begin, or with false when that took too long.
   * @returns leaves the line.
   */
  join(account: string, end: Waiting['end'], now = performance.now()): () => void {
    const waiting = { account, sinceMs: now, end };
    this.waiting.add(waiting);
    return () => {
      this.waiting.delete(waiting);
    };
  }

  /** Lets those begin whose account may. */
  letIn(mayBegin: (account: string) => boolean): void {
    const staying = new Set<string>();
    for (const waiting of this.waiting) {
      if (staying.has(waiting.account)) continue;
      if (!mayBegin(waiting.account)) {
        staying.add(waiting.account);
        continue;
      }
      this.waiting.delete(waiting);
      waiting.end(true);
    }
  }

  /** Sends away who has waited for longer than this, in ms. */
  sendAway(afterMs: number, now = performance.now()): void {
    for (const waiting of this.waiting) {
      if (waiting.sinceMs > now - afterMs) return;
      this.waiting.delete(waiting);
      waiting.end(false);
    }
  }
}
