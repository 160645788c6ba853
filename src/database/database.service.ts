import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { CONFIG, type Config } from '../config/config.js';
import { closeEngine, type Engine } from './engine.js';
import { away, ConnectionLost, failureOf } from './failure.js';
import { type GroupCommit } from './group-commit.js';
import { openDatabase, type Preparation, START_MS } from './open-database.js';
import { type Tables } from './tables.js';
import { REPORT_MS, transact, untilUnlocked, within, type Work } from './transact.js';
import { Writers } from './writers.js';

/**
 * The way to the tables, in SQLite or PostgreSQL. Every query is answered, or refused with 503,
 * within a second.
 */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Database.name);
  private readonly preparations: Preparation[] = [];
  private readonly writers = new Writers(this.logger);
  private engine: Engine | undefined;
  private opening: Promise<void> | undefined;
  private closed = false;
  /** When the database last gave a sign of life, on the monotonic clock. */
  private answeredAt = -Infinity;
  private ping: Promise<unknown> | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /**
   * Adds work for the moment when the database has been opened and nobody has used it yet; resolves
   * with what it made once that is durable. For constructors: it must be known before the start.
   */
  beforeUse<T>(work: Work<T>): Promise<T> {
    return new Promise((resolve) => {
      this.preparations.push(async (kysely) => {
        resolve(await transact(kysely, work, START_MS));
      });
    });
  }

  /** Answers a question. @throws GatewayError 503 while the database is away. */
  read<T>(query: (kysely: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.answered(({ kysely }) => untilUnlocked(() => query(kysely)));
  }

  /**
   * Answers a question that takes up to half a minute. @throws GatewayError 503 while the database
   * is away, which is known within a second, or when that was not enough.
   */
  async report<T>(query: (kysely: Kysely<Tables>) => Promise<T>): Promise<T> {
    await this.confirmAvailable();
    return this.answered(({ patient }) => untilUnlocked(() => query(patient)), REPORT_MS);
  }

  /**
   * Runs `work` in one transaction, perhaps more than once. @throws GatewayError 503 while the
   * database is away; the work may have been done nevertheless.
   */
  write<T>(work: Work<T>): Promise<T> {
    return this.answered(({ kysely }) => transact(kysely, work));
  }

  /** A writer whose rows share transactions, each of them made by `commit`. */
  grouped<Row>(commit: (rows: readonly Row[]) => Work<unknown>): GroupCommit<Row> {
    return this.writers.add<Row>(async (rows) => {
      if (!this.engine) throw new ConnectionLost('the database is not open');
      await transact(this.engine.kysely, commit(rows));
      this.answeredAt = performance.now();
    });
  }

  /** Adds work for the end, when the writers have given up what they could not write. */
  lastly(work: () => Promise<void>): void {
    this.writers.lastly(work);
  }

  /** Resolves at once if the database was there a moment ago. @throws GatewayError 503 if not. */
  async confirmAvailable(): Promise<void> {
    if (performance.now() - this.answeredAt < FRESH_MS) return;
    this.ping ??= this.read((kysely) => sql`select 1`.execute(kysely)).finally(() => {
      this.ping = undefined;
    });
    await this.ping;
  }

  /** What the pool of connections holds; empty without one. */
  get connections(): Readonly<Record<string, number>> {
    return this.engine?.connections() ?? {};
  }

  /** Whether queries can be answered now; known within a second. */
  isReady(): Promise<boolean> {
    return this.confirmAvailable().then(
      () => true,
      () => false,
    );
  }

  async onModuleInit(): Promise<void> {
    try {
      await this.open();
    } catch (error) {
      if (this.config.databaseUrl === undefined) throw error;
      this.logger.warn(`The database cannot be opened, trying on: ${String(error)}`);
      this.opening = this.keepOpening();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    await this.writers.close();
    await this.opening;
    if (this.engine) await closeEngine(this.engine);
  }

  private async open(): Promise<void> {
    this.engine = await openDatabase(this.config, this.preparations, () => {
      this.answeredAt = -Infinity;
    });
    this.answeredAt = performance.now();
  }

  private async keepOpening(): Promise<void> {
    while (!this.closed && !this.engine) {
      await delay(REOPEN_MS, undefined, { ref: false });
      await this.open().catch((error: unknown) => {
        this.logger.debug(`The database cannot be opened: ${String(error)}`);
      });
    }
  }

  private async answered<T>(
    run: (engine: Engine) => Promise<T>,
    patienceMs = PATIENCE_MS,
  ): Promise<T> {
    if (!this.engine) throw away();
    try {
      const answer = await within(patienceMs, run(this.engine));
      this.answeredAt = performance.now();
      return answer;
    } catch (error) {
      if (failureOf(error) === 'fault') throw error;
      this.answeredAt = -Infinity;
      throw away(error);
    }
  }
}

const PATIENCE_MS = 900;
const FRESH_MS = 200;
const REOPEN_MS = 500;
