import { sql, type Transaction } from 'kysely';
import { isSqlite } from './is-sqlite.js';
import { type Tables } from './tables.js';

/** How long the time is that a partition is for, in UTC. */
export type PartitionSpan = 'day' | 'month';

/** A part of the table `requests`, for the rows from one moment to another. */
interface Partition {
  readonly name: string;
  /** Unix milliseconds; `to` is not part of it. -Infinity for that of everything before. */
  readonly from: number;
  readonly to: number;
}

/**
 * Makes the partitions of `requests` in which the rows of the near future will stand; those that are
 * there already stay as they are. Nothing on SQLite, which has none.
 */
export async function makePartitions(
  transaction: Transaction<Tables>,
  span: PartitionSpan,
  now: number,
): Promise<void> {
  if (!(await locked(transaction))) return;
  const there = await partitionsOf(transaction);
  const last = startOf(span, now, AHEAD[span]);
  for (let count = 0, from = startOf(span, now, 0); from <= last; count += 1) {
    const to = startOf(span, now, count + 1);
    // What a partition of another span covers in part is left to the one for all other times.
    if (!there.some((one) => one.from < to && from < one.to))
      await make(transaction, span, from, to);
    from = to;
  }
}

/**
 * Drops the partitions that hold nothing but rows from before `cutoff`. Gives the moment before which
 * rows are to be deleted one by one, where they stand in no partition of their span.
 *
 * @throws 55P03 when a query that takes long keeps a partition; nothing has been done then.
 */
export async function dropPartitions(
  transaction: Transaction<Tables>,
  span: PartitionSpan,
  cutoff: number,
): Promise<number> {
  if (!(await locked(transaction))) return cutoff;
  let rest = cutoff;
  for (const { name, from, to } of await partitionsOf(transaction)) {
    if (to <= cutoff) await sql`drop table ${sql.table(name)}`.execute(transaction);
    // Its rows wait until the last one of them is old; those of a longer one do not.
    else if (from < cutoff && to - from <= LONGEST_MS[span]) rest = Math.min(rest, from);
  }
  return rest;
}

/** Days have their own names, and so have months. */
async function make(
  transaction: Transaction<Tables>,
  span: PartitionSpan,
  from: number,
  to: number,
): Promise<void> {
  const digits = span === 'day' ? 10 : 7;
  const name = `requests_${new Date(from).toISOString().slice(0, digits).replaceAll('-', '_')}`;
  // Made apart and then attached, so that nobody has to wait who writes to another partition.
  await sql`lock table requests_of_other_times`.execute(transaction);
  await sql`create table ${sql.table(name)} (like requests including defaults)`.execute(
    transaction,
  );
  await sql`
    with moved as (
      delete from requests_of_other_times
      where created_at >= ${from} and created_at < ${to} returning *
    )
    insert into ${sql.table(name)} select * from moved`.execute(transaction);
  await sql`
    alter table requests attach partition ${sql.table(name)}
    for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(transaction);
}

/** One process after the other, and never one that others wait for. False on SQLite. */
async function locked(transaction: Transaction<Tables>): Promise<boolean> {
  if (isSqlite(transaction)) return false;
  await sql`set local lock_timeout = ${sql.lit(`${LOCK_MS}ms`)}`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
  return true;
}

/** The partitions with bounds. https://www.postgresql.org/docs/current/catalog-pg-class.html */
async function partitionsOf(transaction: Transaction<Tables>): Promise<readonly Partition[]> {
  const { rows } = await sql<{ name: string; bounds: string }>`
    select relname as name, pg_get_expr(relpartbound, oid) as bounds
    from pg_class
    where oid in (select inhrelid from pg_inherits where inhparent = 'requests'::regclass)
    order by relname`.execute(transaction);
  return rows.flatMap(({ name, bounds }): readonly Partition[] => {
    const [, from = '', to = ''] = /FROM \((.+)\) TO \((.+)\)/.exec(bounds) ?? [];
    if (to === '') return [];
    return [{ name, from: boundOf(from), to: boundOf(to) }];
  });
}

function boundOf(text: string): number {
  return text === 'MINVALUE' ? -Infinity : Number(text.replaceAll("'", ''));
}

/** The first millisecond of the day or month that comes so many after the moment's own. */
function startOf(span: PartitionSpan, moment: number, after: number): number {
  const date = new Date(moment);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return span === 'day'
    ? Date.UTC(year, month, date.getUTCDate() + after)
    : Date.UTC(year, month + after);
}

/** How many partitions there are beside that of the present, at least. */
const AHEAD = { day: 7, month: 2 } as const;
const LONGEST_MS = { day: 86_400_000, month: 31 * 86_400_000 } as const;
/** Any number that no other user of the same PostgreSQL database locks. */
const LOCK = 4_127_360_962;
/** Whoever waits for a table keeps those waiting who come later. */
const LOCK_MS = 200;
