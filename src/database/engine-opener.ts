import { type Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config } from '../config/config.js';
import { closeEngine, type Engine } from './engine.js';
import { fileFailure } from './file-failure.js';
import { LAST_MIGRATION } from './migrations.js';
import { openDatabase, type Preparation, START_MS } from './open-database.js';
import { type SignsOfLife } from './signs-of-life.js';
import { transact, untilUnlocked, type Work } from './transact.js';

/** Opens the configured database, in the background while PostgreSQL is away, and closes it. */
export class EngineOpener {
  private readonly preparations: Preparation[] = [];
  private opened: Engine | undefined;
  private opening: Promise<void> | undefined;
  private isOver = false;
  /** Why it could not be opened, as it was told last. */
  private reason: string | undefined;

  constructor(
    private readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>,
    private readonly life: SignsOfLife,
    private readonly logger: Logger,
  ) {}

  /** Undefined until it is open. */
  get engine(): Engine | undefined {
    return this.opened;
  }

  /** Adds work for the moment of the opening; resolves with what it made once that is durable. */
  beforeUse<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve) => {
      this.preparations.push(async (engine) => {
        resolve(await transact(engine, work, START_MS));
      });
    });
  }

  /** Resolves also while PostgreSQL is away. @throws ConfigError when SQLite's file cannot be used. */
  async open(): Promise<void> {
    try {
      await this.tryOnce();
    } catch (error) {
      const { databaseUrl, dataDir } = this.config;
      if (databaseUrl === undefined) throw fileFailure(error, dataDir);
      this.tell(error);
      this.opening = this.keepTrying();
    }
  }

  /** Tries no more to open what is not open yet. */
  giveUp(): void {
    this.isOver = true;
  }

  /** Closes it, after a try to open it that is being made. */
  async close(): Promise<void> {
    this.giveUp();
    await this.opening;
    if (this.opened) await closeEngine(this.opened);
  }

  private async tryOnce(): Promise<void> {
    const preparations = [...this.preparations, (engine: Engine) => this.tellOfNewer(engine)];
    this.opened = await openDatabase(this.config, preparations, () => {
      this.life.lost();
    });
    this.life.seen();
  }

  private async keepTrying(): Promise<void> {
    while (!this.isOver && !this.opened) {
      await delay(REOPEN_MS, undefined, { ref: false });
      await this.tryOnce().catch((error: unknown) => {
        this.tell(error);
      });
    }
    if (this.opened) this.logger.log('The database is open.');
  }

  /** Who puts an older version back needs it to start: it may well serve on the newer tables. */
  private async tellOfNewer({ kysely }: Engine): Promise<void> {
    const newer = sql<{ number: number }>`
      select number from migrations where number > ${LAST_MIGRATION} order by number`;
    const { rows } = await untilUnlocked(() => newer.execute(kysely), START_MS);
    if (rows.length === 0) return;
    const numbers = rows.map(({ number }) => number).join(', ');
    this.logger.warn(
      `A newer version has migrated the database (${numbers}), on which this one may fail.`,
    );
  }

  /** Once for each reason: what comes behind the first one may be for somebody to mend. */
  private tell(error: unknown): void {
    const reason = String(error);
    if (reason === this.reason) return;
    this.reason = reason;
    this.logger.warn(`The database cannot be opened, trying on: ${reason}`);
  }
}

const REOPEN_MS = 500;
