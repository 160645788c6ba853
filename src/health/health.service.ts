import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { Redis } from '../redis/redis.service.js';
import { type Readiness } from './dto/health.dto.js';
import { Lifecycle } from './lifecycle.js';

/** Tells whether requests should be sent here. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
    private readonly redis: Redis,
  ) {}

  async readiness(): Promise<Readiness> {
    const database = (await this.database.isReady()) ? 'ok' : 'not reachable';
    const lifecycle = this.lifecycle.isDraining() ? 'shutting down' : 'ok';
    const healthy = database === 'ok' && lifecycle === 'ok';
    return {
      status: healthy ? 'ok' : 'unavailable',
      checks: { database, lifecycle, ...REDIS[this.redis.state] },
    };
  }
}

const REDIS = {
  unused: {},
  here: { redis: 'ok' },
  away: { redis: 'not reachable: limits are counted by each process alone' },
};
