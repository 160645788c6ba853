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
import { GatewayError } from '../contract/gateway-error.js';
import { ConnectionLost, failureOf } from './failure.js';
import { GroupCommit } from './group-commit.js';
import { openDatabase, type Preparation, START_MS } from './open-database.js';
import { type Tables } from './tables.js';
import { transact, untilUnlocked, within, type Work } from './transact.js';

/**
 * The way to the tables, in SQLite or PostgreSQL. Every query is answered, or refused with 503,
 * within a second.
 */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Database.name);
  private readonly preparations: Preparation[] = [];
  private readonly closeWriters: GroupCommit<unknown>['close'][] = [];
  private kysely: Kysely<Tables> | undefined;
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
    return this.answered((kysely) => untilUnlocked(() => query(kysely)));
  }

  /**
   * Runs `work` in one transaction, perhaps more than once. @throws GatewayError 503 while the
   * database is away; the work may have been done nevertheless.
   */
  write<T>(work: Work<T>): Promise<T> {
    return this.answered((kysely) => transact(kysely, work));
  }

  /** A writer whose rows share transactions, each of them made by `commit`. */
  grouped<Row>(commit: (rows: readonly Row[]) => Work<unknown>): GroupCommit<Row> {
    const writer = new GroupCommit<Row>(async (rows) => {
      if (!this.kysely) throw new ConnectionLost('the database is not open');
      await transact(this.kysely, commit(rows));
      this.answeredAt = performance.now();
    });
    this.closeWriters.push((patienceMs) => writer.close(patienceMs));
    return writer;
  }

  /** Resolves at once if the database was there a moment ago. @throws GatewayError 503 if not. */
  async confirmAvailable(): Promise<void> {
    if (performance.now() - this.answeredAt < FRESH_MS) return;
    this.ping ??= this.read((kysely) => sql`select 1`.execute(kysely)).finally(() => {
      this.ping = undefined;
    });
    await this.ping;
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
    for (const close of this.closeWriters) {
      const lost = await close(DRAIN_MS);
      if (lost > 0) this.logger.error(`${lost} rows could not be written before the end`);
    }
    await this.opening;
    await this.kysely?.destroy();
  }

  private async open(): Promise<void> {
    this.kysely = await openDatabase(this.config, this.preparations, () => {
      this.answeredAt = -Infinity;
    });
    this.answeredAt = performance.now();
  }

  private async keepOpening(): Promise<void> {
    while (!this.closed && !this.kysely) {
      await delay(REOPEN_MS, undefined, { ref: false });
      await this.open().catch((error: unknown) => {
        this.logger.debug(`The database cannot be opened: ${String(error)}`);
      });
    }
  }

  private async answered<T>(run: (kysely: Kysely<Tables>) => Promise<T>): Promise<T> {
    if (!this.kysely) throw away();
    try {
      const answer = await within(PATIENCE_MS, run(this.kysely));
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
const DRAIN_MS = 2_000;

function away(cause?: unknown): GatewayError {
  return new GatewayError(503, 'provider_unavailable', 'The gateway cannot reach its database.', {
    retryAfter: 1,
    cause,
  });
}
