import { type Listener } from '../cluster/line.js';
import { type Primary } from '../cluster/primary.service.js';
import { type Judgement, type LimitCounts } from './limit-counts.js';
import { type Limit } from './limit.js';
import { type SharedCounts } from './shared-counts.js';
import { type Window } from './window-counters.js';

/** Counts in the primary, for all workers of this machine. */
export class PrimaryCounts implements SharedCounts {
  constructor(private readonly primary: Primary) {}

  async judge(limits: readonly Limit[], lease: string): Promise<Judgement | undefined> {
    const answer = await this.primary.ask('limits.judge', { limits, lease }, ANSWER_MS);
    // Should it have been late, nobody knows of the call any more.
    if (!answer && lease !== '') this.release(namesOf(limits), lease);
    return answer as Judgement | undefined;
  }

  async add(limit: Limit, amount: number): Promise<Window | undefined> {
    const answer = await this.primary.ask('limits.add', { limit, amount }, ANSWER_MS);
    return answer as Window | undefined;
  }

  release(names: readonly string[], lease: string): void {
    this.primary.tell('limits.release', { names, lease });
  }

  /** The primary hears of the end of a worker. */
  renew(): void {
    return;
  }
}

/** How the primary answers one worker from the counts of all. */
export function countsFor(
  workerId: number,
  counts: LimitCounts,
): Readonly<Record<string, Listener>> {
  const own = (lease: string): string => (lease === '' ? '' : leaseOf(workerId, lease));
  return {
    'limits.judge': (asked) => {
      const { limits, lease } = asked as { limits: readonly Limit[]; lease: string };
      return counts.judge(limits, own(lease));
    },
    'limits.add': (asked) => {
      const { limit, amount } = asked as { limit: Limit; amount: number };
      return counts.add(limit, amount);
    },
    'limits.release': (told) => {
      const { names, lease } = told as { names: readonly string[]; lease: string };
      counts.release(names, own(lease));
    },
  };
}

/** Ends the calls of a worker that is gone. */
export function releaseWorker(workerId: number, counts: LimitCounts): void {
  counts.releaseAll(leaseOf(workerId, ''));
}

/** The primary does nothing that takes so long; a machine that is too busy may. */
const ANSWER_MS = 1_000;

function leaseOf(workerId: number, lease: string): string {
  return `${workerId}/${lease}`;
}

function namesOf(limits: readonly Limit[]): readonly string[] {
  return limits.map(({ name }) => name);
}
