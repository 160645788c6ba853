/**
 * How long may be waited for something from the network. What has come while the event loop was late is
 * read before the wait is judged: a gateway that is busy must not take its own lateness for a provider's.
 */
export class TimeLimit {
  private readonly timer: NodeJS.Timeout;
  private judging: NodeJS.Immediate | undefined;

  /** @param isOver runs unless the wait is begun anew or ended in time. */
  constructor(ms: number, isOver: () => void) {
    this.timer = setTimeout(() => {
      // Immediates come after the sockets, and timers before them.
      this.judging = setImmediate(isOver);
    }, ms);
  }

  beginAnew(): void {
    clearImmediate(this.judging);
    this.timer.refresh();
  }

  end(): void {
    clearImmediate(this.judging);
    clearTimeout(this.timer);
  }
}
