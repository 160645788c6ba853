import { ConnectionLost } from './failure.js';

/** How long a report may take, and the wait for its turn. */
export const REPORT_MS = 30_000;
/** Of one account. */
const MOST_WAITING = 64;

interface Waiting {
  readonly begin: () => void;
  readonly giveUp: NodeJS.Timeout;
}

/**
 * Lets so much work run at once, in turns: of those who wait, one of each account after the other. Who
 * has something running leaves one place to those who have nothing, where there are several.
 */
export class ReportQueue {
  private readonly running = new Map<string, number>();
  /** Who waits, by account; the account whose turn is next stands first. */
  private readonly queues = new Map<string, Waiting[]>();
  private free: number;

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  /**
   * Does an account's work when it is its turn.
   *
   * @throws ConnectionLost when that took as long as a report may, or too much of the account's waits.
   */
  async take<T>(account: string, work: () => Promise<T>): Promise<T> {
    if (this.queues.has(account) || !this.mayBegin(account)) await this.wait(account);
    else this.begin(account);
    try {
      return await work();
    } finally {
      this.end(account);
    }
  }

  private mayBegin(account: string): boolean {
    return this.free > (this.running.has(account) ? 1 : 0);
  }

  private begin(account: string): void {
    this.free -= 1;
    this.running.set(account, (this.running.get(account) ?? 0) + 1);
  }

  private end(account: string): void {
    this.free += 1;
    const left = (this.running.get(account) ?? 0) - 1;
    if (left > 0) this.running.set(account, left);
    else this.running.delete(account);
    this.letIn();
  }

  private wait(account: string): Promise<void> {
    const queue = this.queues.get(account) ?? [];
    if (queue.length >= MOST_WAITING) throw new ConnectionLost('too many reports wait');
    this.queues.set(account, queue);
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        this.leave(account, waiting);
        reject(new ConnectionLost('no report ended in time'));
      }, REPORT_MS).unref();
      const waiting = { begin: resolve, giveUp };
      queue.push(waiting);
    });
  }

  private letIn(): void {
    for (const [account, [next]] of this.queues) {
      if (!next || !this.mayBegin(account)) continue;
      clearTimeout(next.giveUp);
      this.begin(account);
      this.leave(account, next);
      next.begin();
    }
  }

  /** The account's turn comes again behind those of all others. */
  private leave(account: string, one: Waiting): void {
    const left = (this.queues.get(account) ?? []).filter((waiting) => waiting !== one);
    this.queues.delete(account);
    if (left.length > 0) this.queues.set(account, left);
  }
}
