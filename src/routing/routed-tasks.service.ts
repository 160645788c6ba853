import { Injectable, Logger, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { type GroupCommit } from '../database/group-commit.js';
import { startSweeping } from '../schedule/sweep-timer.js';
import { type TaskClass } from './task-class.js';

interface RoutedTask {
  readonly account_id: string;
  readonly request_id: string;
  readonly task: string;
  readonly created_at: number;
}

/** How long feedback finds the kind of task of a request. */
const KEPT_MS = 30 * 86_400_000;
const SWEEP_MS = 3_600_000;

/** Keeps what kind of task each routed request was; nothing of its text. */
@Injectable()
export class RoutedTasks implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger(RoutedTasks.name);
  private readonly writer: GroupCommit<RoutedTask>;
  /** What is being written, by request. */
  private readonly pending = new Map<string, Promise<void>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {
    this.writer = database.grouped((rows) => (transaction) => {
      const latest = new Map(rows.map((row) => [`${row.account_id} ${row.request_id}`, row]));
      return transaction
        .insertInto('routed_tasks')
        .values([...latest.values()])
        .onConflict((conflict) =>
          conflict.columns(['account_id', 'request_id']).doUpdateSet((row) => ({
            task: row.ref('excluded.task'),
            created_at: row.ref('excluded.created_at'),
          })),
        )
        .execute();
    });
  }

  /** Resolves when it is durable; nobody needs to wait. */
  async note(accountId: string, requestId: string, task: TaskClass): Promise<void> {
    const row = { account_id: accountId, request_id: requestId, task, created_at: Date.now() };
    const name = `${accountId} ${requestId}`;
    const written = this.writer.add(row);
    this.pending.set(name, written);
    try {
      await written;
    } finally {
      if (this.pending.get(name) === written) this.pending.delete(name);
    }
  }

  /** Resolves when what was noted of a request here is durable, or has failed. */
  async settled(accountId: string, requestId: string): Promise<void> {
    await this.pending.get(`${accountId} ${requestId}`)?.catch(() => undefined);
  }

  onModuleInit(): void {
    this.timer = startSweeping(
      SWEEP_MS,
      () => this.sweep(),
      (reason) => {
        this.logger.warn(`Old kinds of tasks were not forgotten: ${String(reason)}`);
      },
    );
  }

  onModuleDestroy(): void {
    clearInterval(this.timer);
  }

  /** Forgets what is too old for feedback. */
  private async sweep(): Promise<void> {
    await this.database.write((transaction) =>
      transaction
        .deleteFrom('routed_tasks')
        .where('created_at', '<', Date.now() - KEPT_MS)
        .execute(),
    );
  }
}
