import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { earliestId } from './request-filter.js';

/** Deletes the records of requests that are older than `USAGE_RETENTION_DAYS`; the ledger stays. */
@Injectable()
export class UsageRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UsageRetention.name);
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onApplicationBootstrap(): void {
    const { usageRetentionDays: days } = this.config;
    if (days === undefined) return;
    const sweep = (): void => {
      this.deleteBefore(Date.now() - days * DAY_MS).catch((error: unknown) => {
        this.logger.warn(`Old records cannot be deleted now: ${String(error)}`);
      });
    };
    this.timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
    sweep();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  /** Batch by batch, so that nobody who writes has to wait for long. */
  async deleteBefore(cutoff: number): Promise<void> {
    while (!this.stopped) {
      const { numDeletedRows } = await this.database.write((transaction) =>
        transaction
          .deleteFrom('requests')
          .where('id', 'in', (query) =>
            query
              .selectFrom('requests')
              .select('id')
              .where('id', '<', earliestId(cutoff))
              .where('created_at', '<', cutoff)
              .orderBy('id')
              .limit(BATCH),
          )
          .executeTakeFirst(),
      );
      if (numDeletedRows < BigInt(BATCH)) return;
      await delay(BETWEEN_MS);
    }
  }
}

const BATCH = 500;
const BETWEEN_MS = 50;
const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 3_600_000;
