import { type Redis } from '../redis/redis.service.js';
import { type Judgement } from './limit-counts.js';
import { ADD, ADMIT, RELEASE, RENEW } from './limit-scripts.js';
import { LEASE_MS, type Limit } from './limit.js';
import { type SharedCounts } from './shared-counts.js';
import { type Window } from './window-counters.js';

/** Counts in Redis, for all processes that share it. */
export class RedisCounts implements SharedCounts {
  constructor(private readonly redis: Redis) {}

  async judge(limits: readonly Limit[], lease: string): Promise<Judgement | undefined> {
    const names = limits.map(({ name }) => name);
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
    void this.redis.run(RELEASE, names, [lease]);
  }

  renew(name: string, leases: ReadonlySet<string>): void {
    void this.redis.run(RENEW, [name], [LEASE_MS, ...leases]);
  }
}
