/** How much of a window is used up, and how long it still lasts. */
export interface Window {
  readonly used: number;
  readonly msLeft: number;
}

/**
 * Counts in windows of fixed length, each opened by the first hit after the last window. (The
 * throttler's own storage walks over all hits of a window at each hit.)
 */
export class WindowCounters {
  private readonly windows = new Map<string, { readonly used: number; readonly endsAt: number }>();
  private sweepAtSize = LEAST_SWEPT;

  /** Whole milliseconds: a fraction would make a window one second longer when it is rounded up. */
  constructor(private readonly now = () => Math.trunc(performance.now())) {}

  /** The window that runs, or would be opened now; opens none. */
  look(name: string, windowMs: number): Window {
    const window = this.windows.get(name);
    const msLeft = window ? window.endsAt - this.now() : 0;
    return window && msLeft > 0 ? { used: window.used, msLeft } : { used: 0, msLeft: windowMs };
  }

  /** Counts, and gives the window with that in it. */
  add(name: string, windowMs: number, amount: number): Window {
    const { used, msLeft } = this.look(name, windowMs);
    const window = { used: used + amount, msLeft };
    this.set(name, window);
    return window;
  }

  /** Takes over a window that was counted elsewhere. */
  set(name: string, { used, msLeft }: Window): void {
    const now = this.now();
    this.windows.set(name, { used, endsAt: now + msLeft });
    if (this.windows.size < this.sweepAtSize) return;
    for (const [old, { endsAt }] of this.windows) if (endsAt <= now) this.windows.delete(old);
    this.sweepAtSize = Math.max(LEAST_SWEPT, 2 * this.windows.size);
  }
}

const LEAST_SWEPT = 10_000;
