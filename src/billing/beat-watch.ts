/**
 * Tells which processes are dead by their beats alone: no clock of theirs is read, and of our own
 * only the time during which we looked. A time without looks, such as that of a database that was
 * away from all of us, counts for no more than the usual time between two.
 */
export class BeatWatch {
  private readonly processes = new Map<
    string,
    { readonly beat: number; readonly stillMs: number }
  >();
  private lookedAt: number | undefined;

  constructor(
    private readonly deadAfterMs: number,
    private readonly intervalMs: number,
  ) {}

  /**
   * The processes whose beats have stood still for long enough.
   *
   * @param now on a monotonic clock.
   */
  look(beats: ReadonlyMap<string, number>, now: number): string[] {
    const passed = Math.min(now - (this.lookedAt ?? now), this.intervalMs);
    this.lookedAt = now;
    for (const id of this.processes.keys()) if (!beats.has(id)) this.processes.delete(id);
    const dead: string[] = [];
    for (const [id, beat] of beats) {
      const seen = this.processes.get(id);
      const stillMs = seen?.beat === beat ? seen.stillMs + passed : 0;
      this.processes.set(id, { beat, stillMs });
      if (stillMs >= this.deadAfterMs) dead.push(id);
    }
    return dead;
  }
}
