import { CallLeases } from './call-leases.js';
import { type Limit, type Standing } from './limit.js';
import { type Window, WindowCounters } from './window-counters.js';

/** What becomes of a request by its limits. */
export interface Judgement {
  readonly admitted: boolean;
  /** As they are now; a request that is not admitted has taken nothing from any of them. */
  readonly standings: readonly Standing[];
}

/** Counts requests, tokens and running calls in memory: for one process, or for all workers of one. */
export class LimitCounts {
  private readonly windows = new WindowCounters();
  private readonly calls = new CallLeases();

  /**
   * Takes from every limit, or from none where one is used up.
   *
   * @param lease names the call while it runs; an empty one takes nothing.
   */
  judge(limits: readonly Limit[], lease: string): Judgement {
    const before = limits.map((limit) => this.standing(limit));
    const admitted = before.every(({ used, limit }) => used < limit);
    if (!admitted || lease === '') return { admitted, standings: before };
    return { admitted, standings: limits.map((limit) => this.taken(limit, lease)) };
  }

  /** Counts in a window, whether it is used up or not. */
  add({ name, windowMs }: Limit, amount: number): Window {
    return this.windows.add(name, windowMs, amount);
  }

  /** Takes over a window that was counted elsewhere. */
  set({ name }: Limit, window: Window): void {
    this.windows.set(name, window);
  }

  /** Takes over what was judged elsewhere. */
  follow({ admitted, standings }: Judgement, lease: string): void {
    for (const standing of standings) {
      if (standing.counts !== 'calls') this.set(standing, standing);
      else if (admitted && lease !== '') this.calls.begin(lease, [standing.name]);
    }
  }

  /** Ends a call. */
  release(names: readonly string[], lease: string): void {
    this.calls.end(lease, names);
  }

  /** Ends the calls whose leases begin so. */
  releaseAll(beginning: string): void {
    this.calls.endAll(beginning);
  }

  /** The leases of the calls that run, by the limits that hold them. */
  leases(): Iterable<[string, ReadonlySet<string>]> {
    return this.calls.all();
  }

  private standing(limit: Limit): Standing {
    if (limit.counts !== 'calls') {
      return { ...limit, ...this.windows.look(limit.name, limit.windowMs) };
    }
    return { ...limit, used: this.calls.count(limit.name), msLeft: 0 };
  }

  private taken(limit: Limit, lease: string): Standing {
    const { counts, name, windowMs } = limit;
    if (counts === 'requests') return { ...limit, ...this.windows.add(name, windowMs, 1) };
    if (counts === 'calls') this.calls.begin(lease, [name]);
    return this.standing(limit);
  }
}
