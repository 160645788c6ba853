/** Of all calls, what one account has asked for when it floods the others. */
const FLOOD = 0.8;

/** How many calls each account has asked for in the last seconds, whether they were served or not. */
export class RecentCalls {
  private current = new Map<string, number>();
  private before = new Map<string, number>();

  add(account: string): void {
    this.current.set(account, (this.current.get(account) ?? 0) + 1);
  }

  /** Begins a period; what was before the one that ends is forgotten. */
  turn(): void {
    this.before = this.current;
    this.current = new Map();
  }

  /** Whether one account asks for most of them, and not for all. */
  get areOfOne(): boolean {
    const accounts = new Set([...this.before.keys(), ...this.current.keys()]);
    const counts = Array.from(
      accounts,
      (account) => (this.before.get(account) ?? 0) + (this.current.get(account) ?? 0),
    );
    const all = counts.reduce((sum, count) => sum + count, 0);
    return counts.length > 1 && Math.max(...counts) > FLOOD * all;
  }
}
