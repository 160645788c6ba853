import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Kysely, sql } from 'kysely';
import { CONFIG, type Config } from '../config/config.js';
import { EngineOpener } from './engine-opener.js';
import { type Engine } from './engine.js';
import { away, ConnectionLost, failureOf, refusesWrites } from './failure.js';
import { type GroupCommit } from './group-commit.js';
import { SignsOfLife } from './signs-of-life.js';
import { type Tables } from './tables.js';
import { transact, untilUnlocked, within, type Work } from './transact.js';
import { REPORT_MS } from './report-queue.js';
import { Writers } from './writers.js';

/**
 * The way to the tables, in SQLite or PostgreSQL. Every query but a report is answered, or refused with
 * 503, within a second.
 */
@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Database.name);
  private readonly writers = new Writers(this.logger);
  /** What is known of it without asking. */
  readonly life = new SignsOfLife(this.logger);
  private readonly opener: EngineOpener;
  private ping: Promise<unknown> | undefined;

  constructor(@Inject(CONFIG) config: Config) {
    this.opener = new EngineOpener(config, this.life, this.logger);
  }

  /**
   * Adds work for the moment when the database has been opened and nobody has used it yet; resolves
   * with what it made once that is durable. For constructors: it must be known before the start.
   */
  beforeUse<T>(work: Work<T>): Promise<T> {
    return this.opener.beforeUse(work);
  }

  /** Answers a question. @throws GatewayError 503 while the database is away. */
  read<T>(query: (kysely: Kysely<Tables>) => Promise<T>): Promise<T> {
    return this.answered(({ kysely }) => untilUnlocked(() => query(kysely)));
  }

  /**
   * Answers a question in half a minute, at the turn of the `asking` account ('': the management).
   * @throws GatewayError 503 when that was not enough, and within a second while the database is away.
   */
  async report<T>(query: (kysely: Kysely<Tables>) => Promise<T>, asking = ''): Promise<T> {
    await this.confirmAvailable();
    return this.answered(
      ({ patient, reports }) => reports.take(asking, () => untilUnlocked(() => query(patient))),
      REPORT_MS,
    );
  }

  /**
   * Runs `work` in one transaction, perhaps more than once. @throws GatewayError 503 while the
   * database is away; the work may have been done nevertheless.
   */
  write<T>(work: Work<T>): Promise<T> {
    return this.answered((engine) => this.transact(engine, work));
  }

  /** A writer whose rows share transactions, each of them made by `commit`. */
  grouped<Row>(commit: (rows: readonly Row[]) => Work<unknown>): GroupCommit<Row> {
    return this.writers.add<Row>(async (rows) => {
      const { engine } = this.opener;
      if (!engine) throw new ConnectionLost('the database is not open');
      await this.transact(engine, commit(rows));
      this.life.seen();
    });
  }

  /** Adds work for the end, when the writers have given up what they could not write. */
  lastly(work: () => Promise<void>): void {
    this.writers.lastly(work);
  }

  /**
   * Resolves at once if the database was there a moment ago. @throws GatewayError 503 if not, or if it took
   * nothing last, which is seen to end as processes write: a call could not be recorded.
   */
  async confirmAvailable(): Promise<void> {
    if (this.life.isRefusing) throw away();
    if (this.life.isFresh) return;
    this.ping ??= this.read((kysely) => sql`select 1`.execute(kysely)).finally(() => {
      this.ping = undefined;
    });
    await this.ping;
  }

  /** What the pool of connections holds; empty without one. */
  get connections(): Readonly<Record<string, number>> {
    return this.opener.engine?.connections() ?? {};
  }

  /** Whether queries can be answered now; known within a second. */
  isReady(): Promise<boolean> {
    return this.confirmAvailable().then(
      () => true,
      () => false,
    );
  }

  onModuleInit(): Promise<void> {
    return this.opener.open();
  }

  async onApplicationShutdown(): Promise<void> {
    this.opener.giveUp();
    await this.writers.close();
    await this.opener.close();
  }

  private async transact<T>(engine: Engine, work: Work<T>): Promise<T> {
    try {
      const result = await transact(engine, work);
      this.life.took();
      return result;
    } catch (error) {
      if (refusesWrites(error)) this.life.refused(error);
      throw error;
    }
  }

  private async answered<T>(
    run: (engine: Engine) => Promise<T>,
    patienceMs = PATIENCE_MS,
  ): Promise<T> {
    const { engine } = this.opener;
    if (!engine) throw away();
    try {
      const answer = await within(patienceMs, run(engine));
      this.life.seen();
      return answer;
    } catch (error) {
      if (failureOf(error) === 'fault') throw error;
      this.life.lost();
      throw away(error);
    }
  }
}

const PATIENCE_MS = 900;
