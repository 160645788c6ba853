import { type BreakerTotals, BreakerWindow, type CallCounts } from './breaker-window.js';
import { type AdmittedCall, type Permit } from './permit.js';
import { type Claim, Probes } from './probes.js';
import { OF_ONE, type Verdict } from './verdict.js';

/** How a breaker stands, in the words of `GET /v3/admin/providers`. */
export type Circuit = 'closed' | 'open' | 'half_open';

/** Fewer calls than this in the window say too little. */
const FEWEST_CALLS = 20;
const MOST_FAILURES = 0.5;
/** How long, at least, no call is let through before one may show whether the model works again. */
export const OPEN_MS = 5_000;
/** A probe whose stream has run for so long has worked: the end may be minutes away. */
export const PROVEN_MS = 1_000;
/** How much longer a circuit stays open than another process said, which says it anew every second. */
const HOLD_MS = 2_000;
/** How long after its last call a process asks for the probe, which waits for a call there: until it is due. */
const CALLERS_MS = OPEN_MS + HOLD_MS;

interface BreakerOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  /** A call that takes longer to answer has failed. */
  readonly slowMs?: number | undefined;
  /** Told when its own calls open the circuit, or close it. */
  readonly changed?: (circuit: 'open' | 'closed', before: Circuit) => void;
  /** Told when a call has failed and the circuit is still closed. */
  readonly failed?: () => void;
}

/**
 * Judges one model by its real calls: open when at least half of twenty or more calls in ten seconds
 * failed; five seconds later, or when the provider has asked for that, one call is let through, and what
 * comes of it decides. Where processes share what they find, they count together, and only the one that
 * holds the lease lets that call through.
 */
export class Breaker {
  private readonly window: BreakerWindow;
  private readonly options: Required<BreakerOptions>;
  /** Milliseconds of the clock until which no call is let through; undefined while closed. */
  private openUntil: number | undefined;
  private heldUntil = -Infinity;
  /** Whether one of its calls has failed since it heard of others. */
  private hasFailed = false;
  /** When its own calls opened it last. */
  private failedAt = -Infinity;
  private openings = 0;
  private readonly probes: Probes;
  /** Of the call that began or ended last: a stream may run for minutes before there is another one. */
  private judge = OF_ONE;
  private readonly madeAt: number;
  private calledAt = -Infinity;

  constructor({
    now,
    slowMs = Infinity,
    changed = () => undefined,
    failed = () => undefined,
  }: BreakerOptions) {
    this.options = { now, slowMs, changed, failed };
    this.window = new BreakerWindow(now);
    this.probes = new Probes(now);
    this.madeAt = now();
  }

  /** Half open from when its time is over: the probe decides, which is awaited or runs, here or elsewhere. */
  get circuit(): Circuit {
    if (this.openUntil === undefined) return 'closed';
    return this.options.now() < this.openUntil ? 'open' : 'half_open';
  }

  /** Whether no call is let through: also of a half open circuit while its probe runs. */
  get isShut(): boolean {
    if (this.openUntil === undefined) return false;
    return this.options.now() < Math.max(this.openUntil, this.heldUntil) || this.probes.areFull;
  }

  /** The calls by which it judges. */
  get totals(): BreakerTotals {
    return this.window.totals;
  }

  /** What other processes are to know of its calls; undefined for nothing, and while not closed. */
  get news(): CallCounts | undefined {
    return this.openUntil === undefined ? this.window.news : undefined;
  }

  /** Milliseconds since anyone wanted to call, or since it was made. */
  get idleMs(): number {
    return this.options.now() - Math.max(this.madeAt, this.calledAt);
  }

  /** How long until a call may be let through. */
  get waitMs(): number {
    return Math.max(0, (this.openUntil ?? 0) - this.options.now());
  }

  /** What this process wants of the lease for the probe, or does with it; undefined for nothing. */
  get claim(): Claim | 'asks' | undefined {
    if (this.openUntil === undefined) return undefined;
    return this.probes.claim ?? (this.hasCallers ? 'asks' : undefined);
  }

  /** Whether a call that wants to begin now is not let through. */
  turnsAway(): boolean {
    const { isShut } = this;
    this.calledAt = this.options.now();
    return isShut;
  }

  /**
   * Lets a call through; undefined while none is.
   *
   * @param judge told of a slow call as of one that fails; nothing opens while it says the model is served.
   */
  admit(judge = OF_ONE): Permit | undefined {
    if (this.turnsAway()) return undefined;
    this.judge = judge;
    const begunAt = this.options.now();
    const isProbe = this.openUntil !== undefined;
    const call: AdmittedCall = { begunAt, openings: this.openings, isProbe, judge, isOver: false };
    if (isProbe) this.probes.begin(call);
    return {
      answered: () => {
        this.noteAnswer(call);
      },
      end: (verdict, restMs) => {
        this.noteEnd(call, verdict, restMs);
      },
    };
  }

  /**
   * Judges its calls together with those that other processes counted; undefined for none. It does so only when
   * a call has failed since, here or there: it opens by failures, and not by what worked growing old.
   */
  hear(others: CallCounts | undefined): void {
    const hasFailed = this.window.hear(others) || this.hasFailed;
    this.hasFailed = false;
    if (hasFailed && this.news) this.openIfFailing();
  }

  /**
   * Opens for at least so long, because another process saw reason to or probes; and holds on a little. While
   * it probes that is an older word; where it shares the lease, another one's probe may have failed since.
   */
  follow(leftMs: number): void {
    if (this.openUntil === undefined && leftMs <= 0) return;
    const { areRunning, wereLeft } = this.probes;
    if (areRunning && !(wereLeft && leftMs > 0)) return;
    this.open(leftMs);
    this.heldUntil = this.options.now() + leftMs + HOLD_MS;
  }

  /** Closes, because another process's probe has worked so long ago; not where calls have failed since. */
  followClosing(agoMs: number): void {
    if (this.options.now() - this.failedAt > agoMs) this.close();
  }

  /** The next probe is this process's. */
  lease(): void {
    this.probes.lease();
    this.heldUntil = -Infinity;
  }

  /** Lets all calls through, and judges by those that begin from now on. */
  private close(): void {
    if (this.openUntil === undefined) return;
    this.openUntil = undefined;
    this.heldUntil = -Infinity;
    this.probes.clear();
    this.window.clear();
  }

  /** A call that has just opened it counts too, however long ago it began. */
  private get hasCallers(): boolean {
    return this.options.now() - Math.max(this.calledAt, this.failedAt) <= CALLERS_MS;
  }

  /** One that was late counts as well, unless the circuit has been opened or closed since. */
  private isProbe({ isProbe, openings }: AdmittedCall): boolean {
    return isProbe && openings === this.openings && this.openUntil !== undefined;
  }

  private noteAnswer(call: AdmittedCall): void {
    if (call.isOver || call.answerMs !== undefined) return;
    call.answerMs = this.options.now() - call.begunAt;
    if (call.answerMs > this.options.slowMs) this.noteEnd(call, 'works');
    else if (this.isProbe(call)) {
      call.proof = setTimeout(() => {
        if (this.isProbe(call)) this.judgeProbe('works');
      }, PROVEN_MS).unref();
    } else if (call.openings === this.openings) {
      call.countedIn = this.window.count('works', call.answerMs);
    }
  }

  private noteEnd(call: AdmittedCall, said: Verdict, restMs?: number): void {
    if (call.isOver) return;
    call.isOver = true;
    clearTimeout(call.proof);
    const ms = call.answerMs ?? this.options.now() - call.begunAt;
    const isSlow = ms > this.options.slowMs && said !== 'refuses';
    this.judge = call.judge;
    const verdict = call.judge.verdict(isSlow ? 'fails' : said);
    if (this.isProbe(call)) {
      this.judgeProbe(verdict, restMs);
      return;
    }
    if (call.openings !== this.openings) return;
    const { countedIn } = call;
    if (countedIn && verdict === 'works') return;
    if (countedIn) countedIn.calls -= 1;
    if (verdict === 'neither') return;
    this.window.count(verdict, said === 'fails' || countedIn ? undefined : ms);
    if (verdict === 'fails' && !this.openIfFailing(restMs)) {
      this.hasFailed = true;
      this.options.failed();
    }
  }

  private openIfFailing(restMs?: number): boolean {
    if (this.judge.isServed() || !this.window.isFailing(FEWEST_CALLS, MOST_FAILURES)) return false;
    this.fail(restMs);
    return true;
  }

  private judgeProbe(verdict: Verdict, restMs?: number): void {
    if (verdict === 'neither') this.probes.noteLeft();
    else if (verdict === 'fails') this.fail(restMs);
    else {
      this.close();
      this.options.changed('closed', 'half_open');
    }
  }

  private fail(restMs = 0): void {
    const { circuit } = this;
    this.failedAt = this.options.now();
    this.open(Math.max(OPEN_MS, restMs));
    this.options.changed('open', circuit);
  }

  private open(ms: number): void {
    this.openUntil = Math.max(this.openUntil ?? 0, this.options.now() + ms);
    this.openings += 1;
    this.probes.clear();
  }
}
