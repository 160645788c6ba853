import { type Kysely, sql, type Transaction } from 'kysely';
import { type EngineName } from './engine.js';
import { keysAndRequests } from './migration-1-keys-and-requests.js';
import { creditsAndLimits } from './migration-2-credits-and-limits.js';
import { leanHoldsAndLedger } from './migration-3-lean-holds-and-ledger.js';
import { requestsInPartitions } from './migration-4-requests-in-partitions.js';
import { uploads } from './migration-5-uploads.js';
import { feedbackOnRequests } from './migration-6-feedback.js';
import { requestsInOrder } from './migration-7-requests-in-order.js';
import { feedbackByTime } from './migration-8-feedback-by-time.js';
import { sharedBudgets } from './migration-9-shared-budgets.js';
import { listsInOrder } from './migration-10-lists-in-order.js';
import { type Tables } from './tables.js';

/**
 * Brings the tables up to date. The transaction holds a lock, so that processes which start together
 * do it one after the other; what has been done is skipped.
 *
 * @param last the number of the last one to be done.
 * @returns the numbers of those that were not done before.
 */
export async function migrate(
  transaction: Transaction<Tables>,
  engine: EngineName,
  last = MIGRATIONS.length,
): Promise<readonly number[]> {
  // On SQLite the transaction itself, begun as immediate, is the lock.
  if (engine === 'postgres') {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
    await sql`set local lock_timeout = ${sql.lit(LONGEST_WAIT_MS)}`.execute(transaction);
  }
  await sql`create table if not exists migrations (number integer primary key)`.execute(
    transaction,
  );
  const done = await sql<{ number: number }>`select number from migrations`.execute(transaction);
  const numbers = new Set(done.rows.map((row) => row.number));
  const applied: number[] = [];
  for (const [index, migration] of MIGRATIONS.slice(0, last).entries()) {
    if (numbers.has(index + 1)) continue;
    await migration(transaction, engine);
    await sql`insert into migrations (number) values (${index + 1})`.execute(transaction);
    applied.push(index + 1);
  }
  return applied;
}

type Migration = (database: Kysely<Tables>, engine: EngineName) => Promise<void>;

/** Any number that no other user of the same PostgreSQL database locks. */
const LOCK = 4_127_360_961;

/**
 * Who asks for a table behind a migration that waits for it waits as well. A backup may have it for hours: so
 * a migration gives up, and is tried again, before the calls of a gateway that still serves do.
 */
const LONGEST_WAIT_MS = 500;

/** Numbered by their place, from 1. One that has been released is never changed, only followed. */
const MIGRATIONS: readonly Migration[] = [
  keysAndRequests,
  creditsAndLimits,
  leanHoldsAndLedger,
  requestsInPartitions,
  uploads,
  feedbackOnRequests,
  requestsInOrder,
  feedbackByTime,
  sharedBudgets,
  listsInOrder,
];

/** The number of the last one that this version has; a database with a higher one is of a newer version. */
export const LAST_MIGRATION = MIGRATIONS.length;
