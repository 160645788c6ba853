import { Inject, Injectable, Logger } from '@nestjs/common';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG, type Config } from '../config/config.js';
import { Database } from '../database/database.service.js';
import { GroupCommit } from '../database/group-commit.js';
import { type SettlementEntry } from './entries.js';
import { Processes } from './processes.service.js';

/** What a process kept on the disk because the database was away. */
export interface KeptEntries {
  readonly processId: string;
  readonly entries: readonly SettlementEntry[];
  remove(): Promise<void>;
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
    const written = this.lines.add(lineOf(entry));
    Promise.all([written, booked])
      .then(async () => {
        this.waiting -= 1;
        if (this.waiting === 0) await rm(this.pathOf(this.processes.id), { force: true });
      })
      .catch((error: unknown) => {
        this.logger.error(`A settlement waits in ${this.directory}: ${String(error)}`);
      });
    await written;
  }

  /** What other processes on this disk have kept, those that live among them. */
  async others(): Promise<readonly KeptEntries[]> {
    const names = await readdir(this.directory).catch(() => []);
    const ids = names.flatMap((name) => /^(.+)\.jsonl$/.exec(name)?.[1] ?? []);
    return Promise.all(ids.filter((id) => id !== this.processes.id).map((id) => this.read(id)));
  }

  private async read(processId: string): Promise<KeptEntries> {
    const path = this.pathOf(processId);
    const text = await readFile(path, 'utf8').catch(() => '');
    return {
      processId,
      entries: text.split('\n').flatMap(entriesOf),
      remove: () => rm(path, { force: true }),
    };
  }

  private async append(lines: readonly string[]): Promise<void> {
    await mkdir(this.directory, { recursive: true, mode: 0o700 });
    const file = await open(this.pathOf(this.processes.id), 'a', 0o600);
    try {
      await file.write(lines.join(''));
      await file.sync();
    } finally {
      await file.close();
    }
    // The file itself is safe only when its name is.
    const directory = await open(this.directory);
    await directory.sync().finally(() => directory.close());
  }

  private pathOf(processId: string): string {
    return join(this.directory, `${processId}.jsonl`);
  }
}

const STOPS_WITHIN_MS = 2_000;

/** Begins a line of its own, whatever was torn off before it. */
function lineOf(entry: SettlementEntry): string {
  const text = JSON.stringify(entry, (_key, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return `\n${text}\n`;
}

/** The entry in a line; none in one that is empty or torn. */
function entriesOf(line: string): readonly SettlementEntry[] {
  if (line === '') return [];
  try {
    return [
      JSON.parse(line, (key, value: unknown) =>
        key.endsWith('_units') ? BigInt(value as string) : value,
      ) as SettlementEntry,
    ];
  } catch {
    return [];
  }
}
