import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleInit,
} from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { Books } from './books.service.js';
import { type KeptEntries, Outbox } from './outbox.service.js';
import { type DeadProcess, forget, Processes } from './processes.service.js';
import { reconcile } from './reconcile.js';

/** Shows that this process lives, and books what processes have left behind that live no more. */
@Injectable()
export class Reconciler implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(Reconciler.name);
  private timer: NodeJS.Timeout | undefined;
  private round: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    private readonly books: Books,
    private readonly processes: Processes,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    void this.processes.announced.then(() => {
      if (this.stopped) return;
      this.next();
      this.timer = setInterval(() => {
        this.next();
      }, this.processes.intervalMs);
      this.timer.unref();
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.round;
    await this.processes.leave().catch(() => undefined);
  }

  private next(): void {
    this.round ??= this.go()
      .catch((error: unknown) => {
        this.logger.debug(`The next round has to do it: ${String(error)}`);
      })
      .finally(() => {
        this.round = undefined;
      });
  }

  private async go(): Promise<void> {
    await this.processes.beat();
    const { known, dead } = await this.processes.look();
    await this.bookOthers(known);
    for (const process of dead) await this.reconcile(process);
  }

  private async bookOthers(living: ReadonlySet<string>): Promise<void> {
    try {
      for (const kept of await this.outbox.others(living)) await this.book(kept);
    } catch (error) {
      // The holds of the dead are freed all the same.
      this.tell(error);
    }
  }

  /** What the database refuses, or nobody can read, stays on the disk, and keeps nothing else waiting. */
  private async book({ entries, remove }: KeptEntries): Promise<void> {
    const problems: unknown[] = [];
    try {
      for await (const some of entries) {
        const booked = await Promise.allSettled(some.map((entry) => this.books.write(entry)));
        for (const one of booked) if (one.status === 'rejected') problems.push(one.reason);
      }
    } catch (error) {
      problems.push(error);
    }
    if (problems.length === 0) await remove();
    else this.tell(problems[0]);
  }

  private tell(problem: unknown): void {
    if (!this.stopped) this.logger.error(`Settlements wait on the disk: ${String(problem)}`);
  }

  private async reconcile(process: DeadProcess): Promise<void> {
    let total = 0;
    let count: number;
    do {
      count = await this.database.write((transaction) => reconcile(transaction, process));
      total += count;
    } while (count > 0);
    if (total > 0) this.logger.warn(`${total} calls of a process that died have been settled`);
    await this.database.write((transaction) => forget(transaction, process));
  }
}
