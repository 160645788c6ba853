import { type AdmittedCall } from './permit.js';

/** A probe that has not ended by then makes way for another one: it may hang for minutes. */
export const PROBE_MS = 10_000;
/** No more run at once, however many were left. */
const MOST_AT_ONCE = 256;

/** What a process does with the lease for the probe. */
export type Claim = 'probes' | 'shares' | 'keeps';

/**
 * The probes of a circuit since it has opened: one at a time. One that its caller left says nothing, and
 * callers who leave may come again sooner than all others: for each of them one more may run at once.
 */
export class Probes {
  private begun: readonly AdmittedCall[] = [];
  private left = 0;
  private hasLease = false;

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  /** Whether any runs that others have to wait for. */
  get areRunning(): boolean {
    return this.running.length > 0;
  }

  /** Whether no further one may begin. */
  get areFull(): boolean {
    return this.running.length >= Math.min(1 + this.left, MOST_AT_ONCE);
  }

  /** Whether any was left. */
  get wereLeft(): boolean {
    return this.left > 0;
  }

  /** What they want of the lease, which is shared where one was left, as all who call here may leave. */
  get claim(): Claim | undefined {
    const { areRunning } = this;
    if (!areRunning && !this.hasLease) return undefined;
    if (this.wereLeft) return 'shares';
    return areRunning ? 'probes' : 'keeps';
  }

  lease(): void {
    this.hasLease = true;
  }

  begin(probe: AdmittedCall): void {
    this.begun = [...this.running, probe];
  }

  /** One of them has ended, and says nothing. */
  noteLeft(): void {
    this.left += 1;
  }

  clear(): void {
    this.begun = [];
    this.left = 0;
    this.hasLease = false;
  }

  private get running(): readonly AdmittedCall[] {
    const since = this.now() - PROBE_MS;
    return this.begun.filter(({ isOver, begunAt }) => !isOver && begunAt > since);
  }
}
