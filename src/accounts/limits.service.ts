import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { type ThrottlerStorage } from '@nestjs/throttler';
import { randomBytes } from 'node:crypto';
import { Primary } from '../cluster/primary.service.js';
import { Redis } from '../redis/redis.service.js';
import { type Judgement, LimitCounts } from './limit-counts.js';
import { LEASE_MS, type Limit, type Standing } from './limit.js';
import { PrimaryCounts } from './primary-counts.js';
import { RedisCounts } from './redis-counts.js';
import { type SharedCounts } from './shared-counts.js';

/** Whether a request is within its limits. */
export interface Admission extends Judgement {
  /** To be called once, when the request is over. */
  readonly end: () => void;
}

/**
 * Counts requests, tokens and running calls: in Redis, shared by every process; without it in the
 * primary, shared by the workers of this machine; and in this process alone where neither answers.
 * What the others said last is kept, so that counting goes on from there.
 */
@Injectable()
export class Limits implements ThrottlerStorage, OnModuleInit, OnApplicationShutdown {
  private readonly shared: SharedCounts;
  private readonly own = new LimitCounts();
  private readonly process = randomBytes(8).toString('hex');
  private calls = 0;
  private renewal: NodeJS.Timeout | undefined;

  constructor(redis: Redis, primary: Primary) {
    const inPrimary = redis.state === 'unused' && primary.exists;
    this.shared = inPrimary ? new PrimaryCounts(primary) : new RedisCounts(redis);
  }

  /** Takes from every limit, or from none where one is used up. */
  async admit(limits: readonly Limit[]): Promise<Admission> {
    const lease = `${this.process}:${(this.calls += 1)}`;
    const judged = await this.judge(limits, lease);
    const held = callsIn(limits);
    if (!judged.admitted || held.length === 0) return { ...judged, end: () => undefined };
    const end = (): void => {
      this.own.release(held, lease);
      this.shared.release(held, lease);
    };
    return { ...judged, end };
  }

  /** How much of each limit is used up; takes nothing. */
  async look(limits: readonly Limit[]): Promise<readonly Standing[]> {
    return (await this.judge(limits, '')).standings;
  }

  /** Counts in a window, whether it is used up or not. */
  async add(limit: Limit, amount: number): Promise<void> {
    const window = await this.shared.add(limit, amount);
    if (window) this.own.set(limit, window);
    else this.own.add(limit, amount);
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
      for (const [name, leases] of this.own.leases()) this.shared.renew(name, leases);
    }, LEASE_MS / 3).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.renewal);
  }

  private async judge(limits: readonly Limit[], lease: string): Promise<Judgement> {
    const judged = await this.shared.judge(limits, lease);
    if (!judged) return this.judgedAlone(limits, lease);
    this.own.follow(judged, lease);
    return judged;
  }

  /** Nobody has answered, and may yet take the call for one that runs. */
  private judgedAlone(limits: readonly Limit[], lease: string): Judgement {
    const judged = this.own.judge(limits, lease);
    if (!judged.admitted && lease !== '') this.shared.release(callsIn(limits), lease);
    return judged;
  }
}

/** The names of the limits that count what runs. */
function callsIn(limits: readonly Limit[]): string[] {
  return limits.filter(({ counts }) => counts === 'calls').map(({ name }) => name);
}
