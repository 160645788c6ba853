/** An account floods the others from the moment when more than this part of all calls is its. */
const FLOOD = 0.8;
/** It goes on to do so while more than this is: once it is limited, it may ask for fewer. */
const FLOOD_STILL = 0.65;

/**
 * Tells whether one account floods the others, by the calls that each has asked for in this period and
 * the one before, whether they were served or not.
 */
export class FloodWatch {
  private current = new Map<string, number>();
  private before = new Map<string, number>();
  private flooding: string | undefined;

  add(account: string): void {
    this.current.set(account, (this.current.get(account) ?? 0) + 1);
  }

  /** Begins a period; what was before the one that ends is forgotten. */
  beginPeriod(): void {
    this.before = this.current;
    this.current = new Map();
  }

  /** The account that asks for most of them while others ask, too. */
  flood(): string | undefined {
    const counts = new Map(this.before);
    for (const [account, count] of this.current) {
      counts.set(account, (counts.get(account) ?? 0) + count);
    }
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const least = (account: string): number => (account === this.flooding ? FLOOD_STILL : FLOOD);
    const [most] = [...counts].find(([account, count]) => count > least(account) * all) ?? [];
    this.flooding = counts.size > 1 ? most : undefined;
    return this.flooding;
  }
}
