import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../database/database.service.js';
import { Redis } from '../redis/redis.service.js';
import { type Readiness } from './dto/health.dto.js';
import { Lifecycle } from './lifecycle.js';

/** A stop is told at once, whatever else there is to say. */
const DRAINING_MS = 20;

/** Tells whether requests should be sent here. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
    private readonly redis: Redis,
  ) {}

  async readiness(): Promise<Readiness> {
    const database = await this.databaseState();
    const lifecycle = this.lifecycle.isDraining() ? 'shutting down' : 'ok';
    const healthy = database === 'ok' && lifecycle === 'ok';
    return {
      status: healthy ? 'ok' : 'unavailable',
      checks: { database, lifecycle, ...REDIS[this.redis.state] },
    };
  }

  /** A database that hangs says nothing for a second, which nobody waits for who is to go elsewhere. */
  private databaseState(): Promise<string> {
    const state = this.database.isReady().then((isReady) => (isReady ? 'ok' : 'not reachable'));
    if (!this.lifecycle.isDraining()) return state;
    return Promise.race([state, delay(DRAINING_MS, 'no answer yet')]);
  }
}

const REDIS = {
  unused: {},
  here: { redis: 'ok' },
  away: { redis: 'not reachable: limits are counted by each process alone' },
};
