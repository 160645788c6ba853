import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { type Redis as Connection } from 'ioredis';
import { CONFIG, type Config } from '../config/config.js';
import { reasonOf } from '../contract/reason-of.js';
import { openConnection, runScript, type Script, within } from './connection.js';

/**
 * The way to the Redis of `REDIS_URL`, which never keeps a request waiting: after one failure, or
 * one answer that takes longer than 100 ms, nothing is asked of it until a new connection has
 * answered a trial in the background, at the earliest a second later.
 */
@Injectable()
export class Redis implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(Redis.name);
  /** Undefined while Redis is away, and without `REDIS_URL`. */
  private connection: Connection | undefined;
  private retry: NodeJS.Timeout | undefined;
  private lastSaid: 'here' | 'away' = 'here';
  private closed = false;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  get state(): 'unused' | 'here' | 'away' {
    if (this.config.redisUrl === undefined) return 'unused';
    return this.connection ? 'here' : 'away';
  }

  /** Runs a script in one round trip; undefined, and never an error, where Redis does not answer. */
  async run(
    script: Script,
    keys: readonly string[],
    values: readonly (string | number)[],
  ): Promise<unknown> {
    const { connection } = this;
    if (!connection) return undefined;
    try {
      return await within(ANSWER_MS, runScript(connection, script, keys, values));
    } catch (error) {
      this.lose(connection, error);
      return undefined;
    }
  }

  async onModuleInit(): Promise<void> {
    await this.connect();
  }

  onApplicationShutdown(): void {
    this.closed = true;
    clearTimeout(this.retry);
    this.connection?.disconnect();
    this.connection = undefined;
  }

  private async connect(): Promise<void> {
    if (this.config.redisUrl === undefined) return;
    const opened = await openConnection(this.config.redisUrl, ANSWER_MS);
    if (this.closed) {
      opened.connection?.disconnect();
      return;
    }
    if (!opened.connection) {
      this.sayAway(opened.failure);
      this.connectLater();
      return;
    }
    const { connection } = opened;
    this.connection = connection;
    connection.once('close', () => {
      this.lose(connection, new Error('the connection was closed'));
    });
    if (this.lastSaid === 'away') this.logger.log('Redis answers again: limits are shared.');
    this.lastSaid = 'here';
  }

  private lose(connection: Connection, failure: unknown): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    connection.disconnect();
    this.sayAway(failure);
    this.connectLater();
  }

  private connectLater(): void {
    this.retry = setTimeout(() => void this.connect(), RETRY_MS).unref();
  }

  private sayAway(failure: unknown): void {
    if (this.lastSaid === 'away') return;
    this.lastSaid = 'away';
    this.logger.warn(`Redis is away, each process counts limits alone: ${reasonOf(failure)}`);
  }
}

const ANSWER_MS = 100;
const RETRY_MS = 1_000;
