import { type Redis } from '../redis/redis.service.js';
import { type Judgement } from './limit-counts.js';
import { ADD, ADMIT, RELEASE, RENEW } from './limit-scripts.js';
import { LEASE_MS, type Limit } from './limit.js';
import { type SharedCounts } from './shared-counts.js';
import { type Window } from './window-counters.js';

/** A call that has ended, which Redis has not heard. */
interface EndedCall {
  readonly names: readonly string[];
  readonly lease: string;
  /** By `performance.now()`: then Redis takes it for ended all the same. */
  readonly until: number;
}

/** Counts in Redis, for all processes that share it. */
export class RedisCounts implements SharedCounts {
  private untold: EndedCall[] = [];

  constructor(private readonly redis: Redis) {}

  async judge(limits: readonly Limit[], lease: string): Promise<Judgement | undefined> {
    const names = limits.map(({ name }) => name);
    // Before the call is judged, which else might find no place beside calls that do not run.
    this.tellEnded();
    const values = limits.flatMap(({ counts, limit, windowMs }) => [counts, limit, windowMs]);
    const answer = await this.redis.run(ADMIT, names, [lease, ...values]);
    if (!answer) return undefined;
    const reply = answer as readonly number[];
    const standings = limits.map((limit, index) => {
      const window = { used: reply[2 * index + 1] ?? 0, msLeft: reply[2 * index + 2] ?? 0 };
      return { ...limit, ...window };
    });
    return { admitted: reply[0] === 1, standings };
  }

  async add({ name, windowMs }: Limit, amount: number): Promise<Window | undefined> {
    const reply = await this.redis.run(ADD, [name], [amount, windowMs]);
    if (!reply) return undefined;
    const [used, msLeft] = reply as [number, number];
    return { used, msLeft };
  }

  release(names: readonly string[], lease: string): void {
    void this.tell({ names, lease, until: performance.now() + LEASE_MS });
  }

  renew(name: string, leases: ReadonlySet<string>): void {
    void this.redis.run(RENEW, [name], [LEASE_MS, ...leases]);
  }

  private tellEnded(): void {
    if (this.untold.length === 0 || this.redis.state !== 'here') return;
    for (const ended of this.untold.splice(0)) void this.tell(ended);
  }

  private async tell(ended: EndedCall): Promise<void> {
    const answer = await this.redis.run(RELEASE, ended.names, [ended.lease]);
    if (answer !== undefined || this.redis.state === 'unused') return;
    const now = performance.now();
    while (this.untold[0] && this.untold[0].until < now) this.untold.shift();
    if (ended.until > now) this.untold.push(ended);
  }
}
