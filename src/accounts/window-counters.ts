import { type ThrottlerStorage } from '@nestjs/throttler';

/** The state of a counter: hits in its window, and whole seconds until the window ends. */
export type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts in windows of fixed length, each opened by the first hit after the last window; every
 * process counts alone. (The library's own storage walks over all hits of a window at each hit.)
 */
export class WindowCounters implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();
  private sweepAtSize = LEAST_SWEPT;

  /** Whole milliseconds: a fraction would make a window one second longer when it is rounded up. */
  constructor(private readonly now = () => Math.trunc(performance.now())) {}

  increment(key: string, windowMs: number, limit: number): Promise<Count> {
    return Promise.resolve(this.count(key, { windowMs, limit, hits: 1 }));
  }

  /** Adds hits, or none, to a counter. */
  count(
    key: string,
    { windowMs, limit, hits }: { windowMs: number; limit: number; hits: 0 | 1 },
  ): Count {
    const now = this.now();
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { hits: 0, endsAt: now + windowMs };
      if (hits > 0) this.keep(key, window, now);
    }
    window.hits += hits;
    const isBlocked = window.hits > limit;
    const timeToExpire = Math.ceil((window.endsAt - now) / 1000);
    const timeToBlockExpire = isBlocked ? timeToExpire : 0;
    return { totalHits: window.hits, timeToExpire, isBlocked, timeToBlockExpire };
  }

  private keep(key: string, window: Window, now: number): void {
    this.windows.set(key, window);
    if (this.windows.size < this.sweepAtSize) return;
    for (const [old, { endsAt }] of this.windows) if (endsAt <= now) this.windows.delete(old);
    this.sweepAtSize = Math.max(LEAST_SWEPT, 2 * this.windows.size);
  }
}

interface Window {
  hits: number;
  readonly endsAt: number;
}

const LEAST_SWEPT = 10_000;
