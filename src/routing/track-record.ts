import { Injectable } from '@nestjs/common';
import { TimedCache } from '../schedule/timed-cache.js';
import { isFailedStatus } from '../contract/failed-status.js';
import { type Attempt } from '../contract/usage-record.js';

/** How much the newest answer counts against those before it. */
const NEWEST = 0.2;
/** More than a catalogue has, streamed and not. */
const MOST_KEPT = 4_000;
/** A model that is not asked because it was slow once would never be faster. */
const FORGOTTEN_MS = 5 * 60_000;

/** So many requests in a row that a model did not answer speak against it. */
const FAILURES_IN_A_ROW = 3;
/** In less time than this so few say nothing; many of them open its circuit. */
const LEAST_FAILING_MS = 10_000;
/** A model that fails is asked first again after as long as it has failed, in these limits. */
const LEAST_WAIT_MS = 30_000;
const MOST_WAIT_MS = 5 * 60_000;
/** Longer than that: else each request after a wait would be the first that fails. */
const FAILURES_FORGOTTEN_MS = 3 * MOST_WAIT_MS;

/** Requests in a row that a model did not answer, in milliseconds of the clock. */
interface Failures {
  readonly count: number;
  readonly since: number;
  readonly lastAt: number;
}

/** How models have done in the last minutes, as this process has seen it. */
@Injectable()
export class TrackRecord {
  private readonly means = new TimedCache<number>({ size: MOST_KEPT, ms: FORGOTTEN_MS });
  private readonly failures = new TimedCache<Failures>({
    size: MOST_KEPT,
    ms: FAILURES_FORGOTTEN_MS,
  });
  private readonly asked = new TimedCache<number>({ size: MOST_KEPT, ms: MOST_WAIT_MS });

  /** A request begins to ask the model. */
  ask(model: string): void {
    this.asked.set(model, performance.now());
  }

  /**
   * Takes in what came of a request: of each model whether it failed in the end, and how long the answer
   * took, or the first piece of a streamed one.
   */
  note(attempts: readonly Attempt[], stream: boolean): void {
    for (const { model, status, ms } of attempts) {
      if (status !== 200) continue;
      const key = keyOf(model, stream);
      const before = this.means.get(key) ?? ms;
      this.means.set(key, before + NEWEST * (ms - before));
    }
    const last = new Map(attempts.map((attempt) => [attempt.model, attempt]));
    for (const attempt of last.values()) this.judge(attempt);
  }

  /** Milliseconds; null for a model that has not answered lately. */
  latencyMs(model: string, stream: boolean): number | null {
    const mean = this.means.get(keyOf(model, stream));
    return mean === undefined ? null : Math.round(mean);
  }

  /**
   * Whether others are better asked first: it has not answered for a while, too seldom asked for its
   * circuit to open, and somebody has tried it lately.
   */
  isFailing(model: string): boolean {
    const { count, since, lastAt } = this.failures.get(model) ?? NONE;
    const lasted = lastAt - since;
    if (count < FAILURES_IN_A_ROW || lasted < LEAST_FAILING_MS) return false;
    const waitMs = Math.min(MOST_WAIT_MS, Math.max(LEAST_WAIT_MS, lasted));
    return performance.now() - (this.asked.get(model) ?? -Infinity) < waitMs;
  }

  private judge({ model, status, cancelled, circuit }: Attempt): void {
    if (cancelled || circuit) return;
    const before = this.failures.get(model) ?? NONE;
    if (isFailure(status)) {
      const now = performance.now();
      const since = before.count === 0 ? now : before.since;
      this.failures.set(model, { count: before.count + 1, since, lastAt: now });
    } else if (before.count > 0) this.failures.set(model, NONE);
  }
}

const NONE: Failures = { count: 0, since: 0, lastAt: 0 };

/** What is the provider's, or of the gateway's account with it; the rest is about the request. */
function isFailure(status: number): boolean {
  return status === 0 || isFailedStatus(status) || REFUSED_TO_ALL.has(status);
}

/** Keys that are refused or without money, models that are gone, what was too late, and limits. */
const REFUSED_TO_ALL = new Set([401, 402, 403, 404, 408, 429]);

function keyOf(model: string, stream: boolean): string {
  return stream ? `${model} streamed` : model;
}
