import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { GroupCommit } from '../database/group-commit.js';
import { makeDirectory, syncDirectory } from '../files/directories.js';
import { type SettlementEntry } from './entries.js';
import { entriesIn, appendDurably, lineOf, unlessGone } from './outbox-file.js';
import { Processes } from './processes.service.js';

/** What a process kept on the disk because the database was away. */
export interface KeptEntries {
  /** Some at a time. */
  readonly entries: AsyncIterable<readonly SettlementEntry[]>;
  /** Forgets them when they have been booked, unless their process lives and does that itself. */
  readonly remove: () => Promise<void>;
}

/**
 * Settlements that wait on the disk for the database, in `DATA_DIR/outbox`: a file for each process,
 * so that what it has told its callers is booked even if it dies first.
 */
@Injectable()
export class Outbox {
  private readonly logger = new Logger(Outbox.name);
  private readonly directory: string;
  private readonly lines = new GroupCommit<string>((lines) => this.append(lines));
  private waiting = 0;

  constructor(
    @Inject(CONFIG) { dataDir }: Config,
    private readonly processes: Processes,
    database: Database,
  ) {
    this.directory = join(dataDir, 'outbox');
    // What the database could not take before the process stops.
    database.lastly(() => this.lines.idle(STOPS_WITHIN_MS));
  }

  /** How many settlements of this process wait. */
  get size(): number {
    return this.waiting;
  }

  /** Resolves when the entry is on the disk, where it stays at least until it is `booked`. */
  async keep(entry: SettlementEntry, booked: Promise<void>): Promise<void> {
    this.waiting += 1;
    try {
      await this.lines.add(lineOf(entry));
    } catch (error) {
      this.waiting -= 1;
      throw error;
    }
    booked
      .then(async () => {
        this.waiting -= 1;
        if (this.waiting === 0) await this.lines.add(NOTHING);
      })
      .catch((error: unknown) => {
        this.logger.error(`A settlement waits in ${this.directory}: ${String(error)}`);
      });
  }

  /** What other processes on this disk have kept, the `living` ones among them. */
  async others(living: ReadonlySet<string>): Promise<readonly KeptEntries[]> {
    const names = (await readdir(this.directory).catch(unlessGone)) ?? [];
    const ids = names.flatMap((name) => /^(.+)\.jsonl$/.exec(name)?.[1] ?? []);
    const kept: KeptEntries[] = [];
    for (const id of ids.filter((other) => other !== this.processes.id)) {
      kept.push(living.has(id) ? this.look(id) : await this.take(id));
    }
    return kept;
  }

  private look(id: string): KeptEntries {
    return { entries: entriesIn(this.pathOf(id)), remove: () => Promise.resolve() };
  }

  /** One that was taken for dead may still write: it finds its file gone, and writes into a new one. */
  private async take(id: string): Promise<KeptEntries> {
    const path = this.pathOf(randomUUID());
    await rename(this.pathOf(id), path).catch(unlessGone);
    return { entries: entriesIn(path), remove: () => rm(path, { force: true }) };
  }

  /** Never runs beside itself, so that nothing is written into a file that is being removed. */
  private async append(lines: readonly string[]): Promise<void> {
    const path = this.pathOf(this.processes.id);
    if (this.waiting === 0) {
      await rm(path, { force: true });
      return;
    }
    await makeDirectory(this.directory);
    while (!(await appendDurably(path, lines.join(''))));
    // The file itself is safe only when its name is.
    await syncDirectory(this.directory);
  }

  private pathOf(processId: string): string {
    return join(this.directory, `${processId}.jsonl`);
  }
}

const STOPS_WITHIN_MS = 2_000;
/** Has the file looked at again, which goes when nothing waits. */
const NOTHING = '';
