import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { type Readiness } from './dto/health.dto.js';
import { Lifecycle } from './lifecycle.js';

/** Tells whether requests should be sent here. */
@Injectable()
export class HealthService {
  constructor(
    private readonly database: Database,
    private readonly lifecycle: Lifecycle,
  ) {}

  async readiness(): Promise<Readiness> {
    const database = (await this.database.isReady()) ? 'ok' : 'not reachable';
    const lifecycle = this.lifecycle.isDraining() ? 'shutting down' : 'ok';
    const healthy = database === 'ok' && lifecycle === 'ok';
    return { status: healthy ? 'ok' : 'unavailable', checks: { database, lifecycle } };
  }
}
