import { type Verdict } from './verdict.js';

const WINDOW_MS = 10_000;
const BUCKET_MS = 1_000;
/** Latencies that are kept of a bucket: enough for a median, however many calls there are. */
const MOST_LATENCIES = 50;

/** The calls of one second. */
export interface Bucket {
  readonly since: number;
  calls: number;
  failures: number;
  readonly latenciesMs: number[];
}

/** How many calls ended, and how many of them were failures. */
export interface CallCounts {
  readonly calls: number;
  readonly failures: number;
}

/** What the calls of the last ten seconds came to. */
export interface BreakerTotals extends CallCounts {
  /** Half of the answers took at most so many milliseconds; null when there was none. */
  readonly p50Ms: number | null;
}

const NONE: CallCounts = { calls: 0, failures: 0 };

/** Counts the calls of the last ten seconds, and knows what other processes counted. */
export class BreakerWindow {
  private buckets: Bucket[] = [];
  private others = NONE;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  get totals(): BreakerTotals {
    const counts = this.counts();
    const latenciesMs = this.buckets.flatMap((bucket) => bucket.latenciesMs);
    return { ...counts, p50Ms: medianOf(latenciesMs) };
  }

  /** What other processes are to know: the calls of this one, once it or another one has failures. */
  get news(): CallCounts | undefined {
    const own = this.counts();
    return own.calls > 0 && own.failures + this.others.failures > 0 ? own : undefined;
  }

  /**
   * Takes what other processes counted in place of what they did before.
   * @returns whether more of it has failed.
   */
  hear(others: CallCounts = NONE): boolean {
    const hasFailed = others.failures > this.others.failures;
    this.others = others;
    return hasFailed;
  }

  /**
   * Whether of at least so many calls at least this share were failures: of this process's, or of all.
   * What other processes see may not be seen from here, so they open a circuit sooner and never later.
   */
  isFailing(fewestCalls: number, leastShare: number): boolean {
    const own = this.counts();
    const all = {
      calls: own.calls + this.others.calls,
      failures: own.failures + this.others.failures,
    };
    return [own, all].some(
      ({ calls, failures }) => calls >= fewestCalls && failures / calls >= leastShare,
    );
  }

  /**
   * Counts a call, in the bucket that is returned.
   *
   * @param ms after which it answered; undefined when it did not, or was counted before.
   */
  count(verdict: Exclude<Verdict, 'neither'>, ms?: number): Bucket {
    const bucket = this.newest();
    bucket.calls += 1;
    if (verdict === 'fails') bucket.failures += 1;
    if (ms !== undefined && bucket.latenciesMs.length < MOST_LATENCIES) bucket.latenciesMs.push(ms);
    return bucket;
  }

  clear(): void {
    this.buckets = [];
    this.others = NONE;
  }

  /** Without the median, which no call is to pay for. */
  private counts(): CallCounts {
    this.forgetOld();
    let calls = 0;
    let failures = 0;
    for (const bucket of this.buckets) {
      calls += bucket.calls;
      failures += bucket.failures;
    }
    return { calls, failures };
  }

  private newest(): Bucket {
    this.forgetOld();
    const now = this.now();
    const newest = this.buckets.at(-1);
    if (newest && now - newest.since < BUCKET_MS) return newest;
    const bucket = { since: now, calls: 0, failures: 0, latenciesMs: [] };
    this.buckets.push(bucket);
    return bucket;
  }

  private forgetOld(): void {
    const oldest = this.now() - WINDOW_MS;
    if (this.buckets[0] && this.buckets[0].since <= oldest)
      this.buckets = this.buckets.filter(({ since }) => since > oldest);
  }
}

function medianOf(values: readonly number[]): number | null {
  const median = values.toSorted((one, other) => one - other)[Math.ceil(values.length / 2) - 1];
  return median === undefined ? null : Math.round(median);
}
