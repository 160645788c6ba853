import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { startSweeping } from '../schedule/sweep-timer.js';
import { FILE_STORE, type FileStore } from './file-store.js';
import { IncomingFiles, SILENT_MS } from './incoming-files.service.js';
import { isRunning } from './owner.js';
import { deletedRows, dropRow, expire, giveUp, pendingRows } from './upload-rows.js';

/**
 * Takes files out of the store, and then the rows that were kept for it. A row outlives its file, so
 * that nothing is forgotten when a process dies in between; any process can go on with it.
 */
@Injectable()
export class UploadCleaner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(UploadCleaner.name);
  /** Files that this process is putting into the store. */
  private readonly storing = new Set<string>();
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    @Inject(FILE_STORE) private readonly store: FileStore,
    private readonly incoming: IncomingFiles,
  ) {}

  onApplicationBootstrap(): void {
    const sweep = () => this.sweep();
    this.timer = startSweeping(SWEEP_EVERY_MS, sweep, (reason) => {
      this.logger.warn(`Uploads cannot be cleaned up now: ${String(reason)}`);
    });
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.sweeping?.catch(() => undefined);
  }

  /** Runs `work` while the file counts as on its way into the store. */
  async whileStoring<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.storing.add(id);
    try {
      return await work();
    } finally {
      this.storing.delete(id);
    }
  }

  /** Removes hidden files. One that cannot be removed now is left for the next sweep. */
  async remove(ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => this.removeOne(id)));
    }
  }

  /** Removes what has expired, what was hidden, and what processes left behind that are gone. */
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepAll().finally(() => {
      this.sweeping = undefined;
    });
    return this.sweeping;
  }

  private async sweepAll(): Promise<void> {
    await this.incoming.sweep();
    await this.store.tidy?.();
    await this.giveUpAbandoned();
    while (await this.expireSome()) {
      if (this.stopped) return;
    }
    for (let after = ''; !this.stopped;) {
      const ids = await this.database.read((kysely) =>
        deletedRows(kysely, { after, limit: BATCH }),
      );
      await this.remove(ids);
      if (ids.length < BATCH) return;
      after = ids.at(-1) ?? after;
    }
  }

  private async giveUpAbandoned(): Promise<void> {
    const pending = await this.database.read(pendingRows);
    for (const { id, owner, created_at } of pending) {
      const running = owner === this.incoming.owner ? this.storing.has(id) : isRunning(owner);
      if (running ?? Date.now() - created_at < SILENT_MS) continue;
      await this.database.write((transaction) => giveUp(transaction, id));
    }
  }

  private expireSome(): Promise<boolean> {
    return this.database.write((transaction) => expire(transaction, Date.now(), BATCH));
  }

  private async removeOne(id: string): Promise<void> {
    try {
      await this.store.remove(id);
      await this.database.write((transaction) => dropRow(transaction, id));
    } catch (error) {
      this.logger.warn(`The file ${id} cannot be removed now: ${String(error)}`);
    }
  }
}

const SWEEP_EVERY_MS = 60_000;
const BATCH = 500;
const AT_ONCE = 16;
