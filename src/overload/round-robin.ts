import { Injectable } from '@nestjs/common';

/** So long requests are worked on as they come, before whoever else has come in may pass. */
const SLICE_MS = 5;

interface Waiting {
  readonly sinceMs: number;
  /** @param mayPass false when it has waited for too long. */
  readonly end: (mayPass: boolean) => void;
}

/**
 * Lets the requests that have come in be worked on round robin by account. For a moment they pass as
 * they come; those beyond it wait, and one of each account passes after the other, so that many
 * requests of one account are not all worked on before the next one of another.
 */
@Injectable()
export class RoundRobin {
  /** Who waits, by account; the account of which one passes next stands first. */
  private readonly queues = new Map<string, Waiting[]>();
  private sliceEndsAt = 0;
  private isInSlice = false;
  private lastWaitMs = 0;

  /** How long the last one that had to wait has waited, in ms; 0 when nobody waits. */
  get waitMs(): number {
    return this.queues.size === 0 ? 0 : this.lastWaitMs;
  }

  /**
   * Resolves when a request of the account may pass, and with false when that took too long; undefined
   * when that is now.
   */
  pass(account: string): Promise<boolean> | undefined {
    if (!this.isInSlice) this.begin();
    const now = performance.now();
    if (this.queues.size === 0 && now < this.sliceEndsAt) return undefined;
    return new Promise((resolve) => {
      const passing = { sinceMs: now, end: resolve };
      const queue = this.queues.get(account);
      if (queue) queue.push(passing);
      else this.queues.set(account, [passing]);
    });
  }

  /**
   * Sends away who has waited for longer than this, in ms, and so many at most: those of whom most wait
   * go first.
   */
  sendAway(afterMs: number, most: number, now = performance.now()): void {
    const longestFirst = [...this.queues].sort(([, one], [, other]) => other.length - one.length);
    let left = Math.max(0, Math.floor(most));
    for (const [account, queue] of longestFirst) {
      const staying = queue.findIndex(({ sinceMs }) => sinceMs > now - afterMs);
      const leaving = queue.splice(0, Math.min(left, staying < 0 ? queue.length : staying));
      left -= leaving.length;
      if (queue.length === 0) this.queues.delete(account);
      for (const { end } of leaving) end(false);
    }
  }

  /** A slice ends when the event loop has looked at every socket once, or its time is over. */
  private begin(): void {
    this.isInSlice = true;
    this.sliceEndsAt = performance.now() + SLICE_MS;
    setImmediate(() => {
      this.isInSlice = false;
      if (this.queues.size === 0) return;
      this.begin();
      this.next();
    });
  }

  /** Lets one pass, and the next one when all that it set off has been done. */
  private next = (): void => {
    const [first] = this.queues;
    if (!first || performance.now() >= this.sliceEndsAt) return;
    const [account, queue] = first;
    const passing = queue.shift();
    this.queues.delete(account);
    if (queue.length > 0) this.queues.set(account, queue);
    if (!passing) return;
    this.lastWaitMs = performance.now() - passing.sinceMs;
    passing.end(true);
    // Microtasks, which go on with the request, all come before the next tick.
    queueMicrotask(() => {
      process.nextTick(this.next);
    });
  };
}
