import { type Judgement } from './limit-counts.js';
import { type Limit } from './limit.js';
import { type Window } from './window-counters.js';

/**
 * Where several processes count their limits together. Undefined is what somebody gives who cannot
 * be reached, or is not there; the process then counts alone.
 */
export interface SharedCounts {
  /** @param lease names the call while it runs; an empty one takes nothing. */
  judge(limits: readonly Limit[], lease: string): Promise<Judgement | undefined>;
  add(limit: Limit, amount: number): Promise<Window | undefined>;
  release(names: readonly string[], lease: string): void;
  /** Keeps calls running. */
  renew(name: string, leases: ReadonlySet<string>): void;
}
