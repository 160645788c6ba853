/** How a breaker stands, in the words of `GET /v3/admin/providers`. */
export type Circuit = 'closed' | 'open' | 'half_open';

/** What a call said of its model: `neither` for one that its caller left. */
export type Verdict = 'works' | 'fails' | 'neither';

const WINDOW_MS = 10_000;
const BUCKET_MS = 1_000;
/** Fewer calls than this in the window say too little. */
const FEWEST_CALLS = 20;
const MOST_FAILURES = 0.5;
export const OPEN_MS = 5_000;

interface Bucket {
  readonly since: number;
  calls: number;
  failures: number;
}

/**
 * Judges one model by its real calls: open when at least half of twenty or more calls in ten seconds
 * failed; five seconds later one call is let through, and what comes of it decides.
 */
export class Breaker {
  private buckets: Bucket[] = [];
  /** Milliseconds of the clock until which no call is let through; undefined while closed. */
  private openUntil: number | undefined;
  private isProbing = false;
  /** When the last probe began: what began before it tells of a time that is over. */
  private notBefore = -Infinity;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  get circuit(): Circuit {
    if (this.openUntil === undefined) return 'closed';
    return this.now() < this.openUntil || this.isProbing ? 'open' : 'half_open';
  }

  /** How long until a call may be let through. */
  get waitMs(): number {
    return Math.max(0, (this.openUntil ?? 0) - this.now());
  }

  /** Whether a call may be made; a call that is admitted must be reported. */
  admit(): boolean {
    if (this.circuit === 'open') return false;
    if (this.openUntil === undefined) return true;
    this.isProbing = true;
    this.notBefore = this.now();
    return true;
  }

  /**
   * Returns true when this report opened the circuit.
   *
   * @param begunAt when the call began, in milliseconds of the clock.
   */
  report(verdict: Verdict, begunAt = this.now()): boolean {
    if (begunAt < this.notBefore) return false;
    if (this.openUntil !== undefined) return this.judgeProbe(verdict);
    if (verdict === 'neither') return false;
    const bucket = this.bucket();
    bucket.calls += 1;
    if (verdict === 'fails') bucket.failures += 1;
    const calls = this.buckets.reduce((sum, one) => sum + one.calls, 0);
    const failures = this.buckets.reduce((sum, one) => sum + one.failures, 0);
    if (calls < FEWEST_CALLS || failures / calls < MOST_FAILURES) return false;
    this.open(OPEN_MS);
    return true;
  }

  /** Opens for so long, because another process saw reason to; never shortens what is left. */
  open(ms: number): void {
    this.openUntil = Math.max(this.openUntil ?? 0, this.now() + ms);
    this.isProbing = false;
    this.buckets = [];
  }

  /** Calls that began before the circuit opened report late, and say nothing new. */
  private judgeProbe(verdict: Verdict): boolean {
    if (!this.isProbing) return false;
    this.isProbing = false;
    if (verdict === 'neither') return false;
    if (verdict === 'works') this.openUntil = undefined;
    else this.open(OPEN_MS);
    return verdict === 'fails';
  }

  private bucket(): Bucket {
    const now = this.now();
    this.buckets = this.buckets.filter(({ since }) => now - since < WINDOW_MS);
    const newest = this.buckets.at(-1);
    if (newest && now - newest.since < BUCKET_MS) return newest;
    const bucket = { since: now, calls: 0, failures: 0 };
    this.buckets.push(bucket);
    return bucket;
  }
}
