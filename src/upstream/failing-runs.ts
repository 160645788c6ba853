import { type Deployment, identityOf } from '../providers/deployment.js';
import { LONGEST_REST_MS } from './shared-rests.service.js';

/** So many calls in a row that fail speak against a deployment, and each one after them. */
const FAILURES_IN_A_ROW = 5;
/** How long it gets no calls then, doubled with each further failure. */
const FAILING_REST_MS = 5_000;

interface Run {
  readonly failures: number;
  /** Milliseconds of the clock. */
  readonly restsUntil: number;
}

/** The calls of deployments that fail in a row, of each endpoint and model: another one may well work. */
export class FailingRuns {
  /** By deployment, and by what was asked of it; without those whose last call worked. */
  private readonly runs = new Map<string, Map<string, Run>>();

  /** @param now milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number) {}

  /** Whether the last call that asked for this has failed. */
  has(deployment: Deployment, asked: string): boolean {
    return this.of(deployment).has(asked);
  }

  /** Milliseconds for which a deployment is not asked for this; 0 for none. */
  restMs(deployment: Deployment, asked: string): number {
    return this.leftOf(this.of(deployment).get(asked));
  }

  /** The same, of what it is not asked for longest. */
  longestMs(deployment: Deployment): number {
    return Math.max(0, ...[...this.of(deployment).values()].map((run) => this.leftOf(run)));
  }

  /** Takes in how a call has ended. @returns whether the deployment is not asked for this for a while. */
  note(deployment: Deployment, asked: string, hasFailed: boolean): boolean {
    const runs = this.of(deployment);
    const failures = hasFailed ? (runs.get(asked)?.failures ?? 0) + 1 : 0;
    const further = failures - FAILURES_IN_A_ROW;
    const restMs = Math.min(LONGEST_REST_MS, FAILING_REST_MS * 2 ** further);
    const restsUntil = further < 0 ? -Infinity : this.now() + restMs;
    if (hasFailed) runs.set(asked, { failures, restsUntil });
    else runs.delete(asked);
    return further >= 0;
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
