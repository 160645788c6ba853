/** What each account holds of something of which there is only so much. */
export class Shares {
  private readonly held = new Map<string, number>();
  /** Accounts that were refused, and until when they are reckoned with. */
  private readonly waiting = new Map<string, number>();
  private sum = 0;

  /** What all accounts hold together. */
  get total(): number {
    return this.sum;
  }

  of(account: string): number {
    return this.held.get(account) ?? 0;
  }

  /** Gives an account more, or takes it back where `amount` is below 0. */
  add(account: string, amount: number): void {
    const left = this.of(account) + amount;
    this.sum += amount;
    if (left > 0) this.held.set(account, left);
    else this.held.delete(account);
  }

  /** An account was refused; for a moment its share is kept free for it. */
  refuse(account: string, now = performance.now()): void {
    this.waiting.set(account, now + WAITING_MS);
  }

  /**
   * Whether an account that has something would have more than an equal part of `whole` with
   * `amount` more. The parts are equal among those who hold something or were just refused.
   */
  isBeyond(account: string, amount: number, whole: number, now = performance.now()): boolean {
    const own = this.of(account);
    return own > 0 && own + amount > whole / this.contenders(account, now);
  }

  /**
   * Whether an account that has something, besides the `held` of what asks, would have more of `whole` than it
   * leaves, with `amount` more.
   */
  exceedsRest(account: string, amount: number, whole: number, held = 0): boolean {
    const own = this.of(account);
    return own > held && own + amount > whole - this.sum - amount;
  }

  private contenders(account: string, now: number): number {
    let count = this.held.size + (this.held.has(account) ? 0 : 1);
    for (const [other, until] of this.waiting) {
      if (until <= now) this.waiting.delete(other);
      else if (other !== account && !this.held.has(other)) count += 1;
    }
    return count;
  }
}

/** A refused caller comes again after the second that it is told to wait, or soon after. */
const WAITING_MS = 5_000;
