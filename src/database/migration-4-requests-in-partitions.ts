import { type Kysely, sql } from 'kysely';
import { type EngineName } from './engine.js';
import { type Tables } from './tables.js';

/**
 * On PostgreSQL the rows of calls stand in partitions by their time, so that old ones go with their
 * whole partition. Those that are there already become one partition, up to the end of the month, as
 * they are: a copy of them could take hours. SQLite has no partitions.
 */
export async function requestsInPartitions(
  database: Kysely<Tables>,
  engine: EngineName,
): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`alter table requests rename to requests_of_the_past`.execute(database);
  // A unique key has to name the column of the partitions. Ids are unique by themselves.
  await sql`alter table requests_of_the_past drop constraint requests_pkey`.execute(database);
  await sql`alter index requests_by_account rename to requests_of_the_past_by_account`.execute(
    database,
  );
  await sql`alter index requests_by_request_id rename to requests_of_the_past_by_request_id`.execute(
    database,
  );
  await sql`
    create table requests (
      like requests_of_the_past including defaults,
      primary key (id, created_at)
    ) partition by range (created_at)`.execute(database);
  await sql`create index requests_by_account on requests (account_id, created_at)`.execute(
    database,
  );
  await sql`create index requests_by_request_id on requests (request_id)`.execute(database);
  // For rows that no other partition takes, so that none is ever refused.
  await sql`create table requests_of_other_times partition of requests default`.execute(database);
  const { rows } = await sql<{ latest: number | null }>`
    select max(created_at) as latest from requests_of_the_past`.execute(database);
  const latest = rows[0]?.latest ?? null;
  if (latest === null) {
    await sql`drop table requests_of_the_past`.execute(database);
    return;
  }
  await sql`
    alter table requests attach partition requests_of_the_past
    for values from (minvalue) to (${sql.lit(nextMonth(Math.max(latest, Date.now())))})`.execute(
    database,
  );
}

/** The first millisecond of the month after this moment's, in UTC. */
function nextMonth(moment: number): number {
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
