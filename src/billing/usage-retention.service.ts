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
import {
  dropPartitions,
  makePartitions,
  type PartitionSpan,
} from '../database/request-partitions.js';
import { type Work } from '../database/transact.js';
import { startSweeping } from '../schedule/sweep-timer.js';
import { earliestId } from './request-filter.js';
import { forgetSpendWindows } from './spend-window.js';

/**
 * Keeps the tables that grow with use in bounds: the records of requests that are older than
 * `USAGE_RETENTION_DAYS` go, with what was said of them, and what keys spent in windows that are over.
 * The ledger stays.
 */
@Injectable()
export class UsageRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UsageRetention.name);
  private readonly days: number | undefined;
  private readonly span: PartitionSpan;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    @Inject(CONFIG) { usageRetentionDays }: Config,
  ) {
    this.days = usageRetentionDays;
    // Thousands of days that nobody drops would make every query slow.
    this.span = (usageRetentionDays ?? Infinity) <= MOST_DAYS ? 'day' : 'month';
    void database.beforeUse((transaction) => makePartitions(transaction, this.span, Date.now()));
  }

  onApplicationBootstrap(): void {
    this.timer = startSweeping(SWEEP_EVERY_MS, () => this.sweep(), this.failed);
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearInterval(this.timer);
  }

  /** Forgets what is from before a moment; on PostgreSQL records of its own day or month later. */
  async deleteBefore(moment: number): Promise<void> {
    const rest = await this.database.write((transaction) =>
      dropPartitions(transaction, this.span, moment),
    );
    await this.inBatches(oldestRequests(rest));
    await this.inBatches(oldestFeedback(moment));
  }

  /** Batch by batch, so that nobody who writes has to wait for long. */
  private async inBatches(work: Work<Deleted>): Promise<void> {
    while (!this.stopped) {
      const { numDeletedRows } = await this.database.write(work);
      if (numDeletedRows < BigInt(BATCH)) return;
      await delay(BETWEEN_MS);
    }
  }

  private async sweep(): Promise<void> {
    const { days } = this;
    const now = Date.now();
    const works = [
      () => this.database.write((transaction) => makePartitions(transaction, this.span, now)),
      () => this.database.write((transaction) => forgetSpendWindows(transaction, now)),
      ...(days === undefined ? [] : [() => this.deleteBefore(now - days * DAY_MS)]),
    ];
    for (const work of works) {
      await work().catch(this.failed);
    }
  }

  private readonly failed = (reason: unknown): void => {
    this.logger.warn(`The tables wait for the next hour to be tidied: ${String(reason)}`);
  };
}

const BATCH = 500;
const BETWEEN_MS = 50;
const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 3_600_000;
/** Rows that are kept for longer stand in partitions of a month. */
const MOST_DAYS = 92;

interface Deleted {
  readonly numDeletedRows: bigint;
}

function oldestRequests(moment: number): Work<Deleted> {
  return (transaction) =>
    transaction
      .deleteFrom('requests')
      .where('created_at', '<', moment)
      .where('id', 'in', (query) =>
        query
          .selectFrom('requests')
          .select('id')
          .where('id', '<', earliestId(moment))
          .where('created_at', '<', moment)
          .orderBy('id')
          .limit(BATCH),
      )
      .executeTakeFirst();
}

/** What it said of a model stays in the sum of opinions. */
function oldestFeedback(moment: number): Work<Deleted> {
  return (transaction) =>
    transaction
      .deleteFrom('feedback')
      .where((where) =>
        where(
          where.refTuple('account_id', 'request_id'),
          'in',
          where
            .selectFrom('feedback')
            .select(['account_id', 'request_id'])
            .where('created_at', '<', moment)
            .orderBy('created_at')
            .limit(BATCH)
            .$asTuple('account_id', 'request_id'),
        ),
      )
      .executeTakeFirst();
}
