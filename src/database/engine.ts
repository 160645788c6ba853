import { type Kysely } from 'kysely';
import { type Tables } from './tables.js';
import { type ReportQueue } from './report-queue.js';

/** Which database it is. */
export type EngineName = 'sqlite' | 'postgres';

/** An open database, in three degrees of patience. */
export interface Engine {
  readonly name: EngineName;
  /** Whose statements end within seconds: callers wait for them. */
  readonly kysely: Kysely<Tables>;
  /** For reports, which read a lot. */
  readonly patient: Kysely<Tables>;
  /** In which reports take their turns. */
  readonly reports: ReportQueue;
  /** For migrations, which take the time that they need. */
  readonly unhurried: Kysely<Tables>;
  /** Resolves when all that was committed before would survive a loss of power. */
  readonly durable: () => Promise<void>;
  /** Of the pools together; without pools there are none. */
  readonly connections: () => Readonly<Record<'open' | 'idle' | 'waiting', number>> | undefined;
}

/** Closes every connection. */
export async function closeEngine({ kysely, patient, unhurried }: Engine): Promise<void> {
  // SQLite's write-ahead log is removed by the last connection, if that one may write.
  for (const one of new Set([patient, unhurried, kysely])) await one.destroy();
}
