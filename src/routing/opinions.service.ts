import { Injectable } from '@nestjs/common';
import { TimedCache } from '../schedule/timed-cache.js';
import { Database } from '../database/database.service.js';
import { type Learned, learnedFrom, type Opinion } from './learned.js';
import { TASK_CLASSES, type TaskClass } from './task-class.js';

/** Knows what each account has said of the models' work. */
@Injectable()
export class Opinions {
  /** So long another process may not know of new feedback. */
  private readonly fresh = new TimedCache<Learned | undefined>({ size: 1_000, ms: 5_000 });

  /** Counts what was forgotten: what was read before that is not remembered. */
  private forgotten = 0;

  constructor(private readonly database: Database) {}

  /** @throws GatewayError 503 while the database is away. */
  async of(accountId: string): Promise<Learned> {
    const known = this.fresh.get(accountId);
    if (known) return known;
    const { forgotten } = this;
    const rows = await this.database.read((kysely) =>
      kysely
        .selectFrom('opinions')
        .select(['model', 'task', 'count', 'millionths'])
        .where('account_id', '=', accountId)
        .execute(),
    );
    const learned = learnedFrom(
      rows.map(({ model, task, count, millionths }): Opinion => ({
        model,
        task: taskOf(task),
        count,
        total: millionths / 1_000_000,
      })),
    );
    if (forgotten === this.forgotten) this.fresh.set(accountId, learned);
    return learned;
  }

  /** Makes the next question look again. */
  forget(accountId: string): void {
    this.forgotten += 1;
    this.fresh.set(accountId, undefined);
  }
}

/** The kind of task of that name; null for none, and for one that a later version has made up. */
function taskOf(name: string): TaskClass | null {
  return TASK_CLASSES.find((task) => task === name) ?? null;
}
