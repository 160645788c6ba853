/** Calls that wait until others have ended, first come first served. */
export class WaitingLine {
  private readonly waiting = new Set<() => void>();

  get length(): number {
    return this.waiting.size;
  }

  /**
   * Stands in line.
   *
   * @param begin is called when it is its turn.
   * @returns leaves the line.
   */
  join(begin: () => void): () => void {
    this.waiting.add(begin);
    return () => {
      this.waiting.delete(begin);
    };
  }

  /** It is the turn of the first. */
  next(): void {
    const [first] = this.waiting;
    if (!first) return;
    this.waiting.delete(first);
    first();
  }
}
