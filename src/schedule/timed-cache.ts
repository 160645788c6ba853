/** Keeps the values used last, each for a limited time after it was set. */
export class TimedCache<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(
    private readonly limits: { readonly size: number; readonly ms: number },
    private readonly now = () => performance.now(),
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (entry.until <= this.now()) return undefined;
    this.entries.set(key, entry);
    return entry.value;
  }

  clear(): void {
    this.entries.clear();
  }

  set(key: string, value: T): void {
    this.entries.delete(key);
    this.entries.set(key, { value, until: this.now() + this.limits.ms });
    if (this.entries.size <= this.limits.size) return;
    const [leastRecent] = this.entries.keys();
    if (leastRecent !== undefined) this.entries.delete(leastRecent);
  }
}
