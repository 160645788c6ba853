import { type Deployment, identityOf } from '../providers/deployment.js';
import { LONGEST_REST_MS } from './shared-rests.service.js';
import { type Verdict } from './verdict.js';

/** So many calls in a row that fail speak against a deployment, and each one after them. */
const FAILURES_IN_A_ROW = 5;
/** How long it gets no calls then, doubled with each failure after that. */
export const FAILING_REST_MS = 5_000;

interface Run {
  readonly failures: number;
  /** Milliseconds of the clock. */
  readonly restsUntil: number;
}

/** Calls for so many endpoints and models that fail, and none works between: the deployment's fault. */
const FEWEST_PURPOSES = 2;

/**
 * The calls of deployments that fail in a row, of each endpoint and model, as another one may well
 * work; and of all together, as long as none has worked.
 */
export class FailingRuns {
  /** By deployment, and by what it was called for; without those whose last call worked. */
  private readonly runs = new Map<string, Map<string, Run>>();
  /** By deployment: all that failed there in a row. */
  private readonly whole = new Map<string, Run & { readonly purposes: ReadonlySet<string> }>();

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  /** Whether the last call that asked for this has failed, or all of late have. */
  has(deployment: Deployment, purpose: string): boolean {
    return this.of(deployment).has(purpose) || this.wholeMs(deployment) > 0;
  }

  /** Milliseconds for which a deployment is not asked for this; 0 for none. */
  restMs(deployment: Deployment, purpose: string): number {
    return Math.max(this.leftOf(this.of(deployment).get(purpose)), this.wholeMs(deployment));
  }

  /** The same, of what it is not asked for longest. */
  longestMs(deployment: Deployment): number {
    const runs = [...this.of(deployment).values()].map((run) => this.leftOf(run));
    return Math.max(this.wholeMs(deployment), ...runs);
  }

  /** Takes in how a call has ended. @returns whether the deployment is not asked for this for a while. */
  note(deployment: Deployment, purpose: string, verdict: Exclude<Verdict, 'neither'>): boolean {
    const name = identityOf(deployment);
    const runs = this.of(deployment);
    if (verdict !== 'fails') {
      runs.delete(purpose);
      this.whole.delete(name);
      return false;
    }
    // Those that were in flight when the rest began say nothing new, however many they are.
    if (this.restMs(deployment, purpose) > 0) return true;
    const run = this.longer(runs.get(purpose));
    const before = this.whole.get(name);
    const all = new Set([...(before?.purposes ?? []), purpose]);
    const { failures, restsUntil } = this.longer(before);
    const isWhole = all.size >= FEWEST_PURPOSES;
    const whole = { failures, restsUntil: isWhole ? restsUntil : -Infinity, purposes: all };
    runs.set(purpose, run);
    this.whole.set(name, whole);
    return this.restMs(deployment, purpose) > 0;
  }

  private longer(run: Run | undefined): Run {
    const failures = (run?.failures ?? 0) + 1;
    const further = failures - FAILURES_IN_A_ROW;
    const restMs = Math.min(LONGEST_REST_MS, FAILING_REST_MS * 2 ** further);
    return { failures, restsUntil: further < 0 ? -Infinity : this.now() + restMs };
  }

  private wholeMs(deployment: Deployment): number {
    return this.leftOf(this.whole.get(identityOf(deployment)));
  }

  private leftOf(run: Run | undefined): number {
    return Math.max(0, (run?.restsUntil ?? -Infinity) - this.now());
  }

  private of(deployment: Deployment): Map<string, Run> {
    const name = identityOf(deployment);
    const known = this.runs.get(name) ?? new Map<string, Run>();
    this.runs.set(name, known);
    return known;
  }
}
