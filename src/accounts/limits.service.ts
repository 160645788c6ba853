import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { randomBytes } from 'node:crypto';
import { Redis } from '../redis/redis.service.js';
import { ADD, ADMIT, RELEASE, RENEW } from './limit-scripts.js';
import { LEASE_MS, type Limit, type Standing } from './limit.js';
import { RunningCalls } from './running-calls.js';
import { WindowCounters } from './window-counters.js';

/** Whether a request is within its limits. */
export interface Admission {
  readonly admitted: boolean;
  /** As they are now; a request that is not admitted has taken nothing from any of them. */
  readonly standings: readonly Standing[];
  /** To be called once, when the request is over. */
  readonly end: () => void;
}

/**
 * Counts requests, tokens and running calls: in Redis, shared by every process, and in this process
 * alone while Redis is away. What Redis said last is kept, so that counting goes on from there.
 */
@Injectable()
export class Limits implements ThrottlerStorage, OnModuleInit, OnApplicationShutdown {
  private readonly windows = new WindowCounters();
  private readonly running = new RunningCalls();
  private readonly process = randomBytes(8).toString('hex');
  private calls = 0;
  private renewal: NodeJS.Timeout | undefined;

  constructor(private readonly redis: Redis) {}

  /** Takes from every limit, or from none where one is used up. */
  async admit(limits: readonly Limit[]): Promise<Admission> {
    const lease = `${this.process}:${(this.calls += 1)}`;
    const judged = (await this.ask(limits, lease)) ?? this.judgeAlone(limits);
    const held = namesOf(limits.filter(({ counts }) => counts === 'calls'));
    if (!judged.admitted || held.length === 0) return { ...judged, end: () => undefined };
    this.running.begin(lease, held);
    const end = (): void => {
      this.running.end(lease, held);
      void this.redis.run(RELEASE, held, [lease]);
    };
    return { ...judged, end };
  }

  /** How much of each limit is used up; takes nothing. */
  async look(limits: readonly Limit[]): Promise<readonly Standing[]> {
    const judged = await this.ask(limits, '');
    return judged?.standings ?? limits.map((limit) => this.standing(limit));
  }

  /** Counts in a window, whether it is used up or not. */
  async add({ name, windowMs }: Limit, amount: number): Promise<void> {
    const reply = await this.redis.run(ADD, [name], [amount, windowMs]);
    if (!reply) {
      this.windows.add(name, windowMs, amount);
      return;
    }
    const [used, msLeft] = reply as [number, number];
    this.windows.set(name, { used, msLeft });
  }

  /** One request, as the throttler asks. */
  async increment(name: string, windowMs: number, limit: number) {
    const asked = { counts: 'requests', name, limit, windowMs } as const;
    const { admitted, standings } = await this.admit([asked]);
    const [{ used, msLeft } = { used: 0, msLeft: windowMs }] = standings;
    const timeToExpire = Math.ceil(msLeft / 1000);
    return {
      totalHits: used,
      timeToExpire,
      isBlocked: !admitted,
      timeToBlockExpire: admitted ? 0 : timeToExpire,
    };
  }

  onModuleInit(): void {
    this.renewal = setInterval(() => {
      this.renew();
    }, LEASE_MS / 3).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.renewal);
  }

  /** What Redis says; undefined while it is away. */
  private async ask(limits: readonly Limit[], lease: string) {
    const values = limits.flatMap(({ counts, limit, windowMs }) => [counts, limit, windowMs]);
    const answer = await this.redis.run(ADMIT, namesOf(limits), [lease, ...values]);
    if (!answer) return undefined;
    const reply = answer as readonly number[];
    const standings = limits.map((limit, index) => {
      const window = { used: reply[2 * index + 1] ?? 0, msLeft: reply[2 * index + 2] ?? 0 };
      if (limit.counts !== 'calls') this.windows.set(limit.name, window);
      return { ...limit, ...window };
    });
    return { admitted: reply[0] === 1, standings };
  }

  private judgeAlone(limits: readonly Limit[]) {
    const before = limits.map((limit) => this.standing(limit));
    if (before.some(({ used, limit }) => used >= limit)) {
      return { admitted: false, standings: before };
    }
    const standings = limits.map((limit) => this.taken(limit));
    return { admitted: true, standings };
  }

  private standing(limit: Limit): Standing {
    if (limit.counts !== 'calls') {
      return { ...limit, ...this.windows.look(limit.name, limit.windowMs) };
    }
    return { ...limit, used: this.running.count(limit.name), msLeft: 0 };
  }

  private taken(limit: Limit): Standing {
    const { counts, name, windowMs } = limit;
    if (counts === 'requests') return { ...limit, ...this.windows.add(name, windowMs, 1) };
    const standing = this.standing(limit);
    return counts === 'calls' ? { ...standing, used: standing.used + 1 } : standing;
  }

  private renew(): void {
    for (const [name, leases] of this.running.all()) {
      void this.redis.run(RENEW, [name], [LEASE_MS, ...leases]);
    }
  }
}

function namesOf(limits: readonly Limit[]): readonly string[] {
  return limits.map(({ name }) => name);
}
