import { type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely';
import { isSqlite } from '../database/is-sqlite.js';
import { type Tables, type UploadsTable } from '../database/tables.js';

/** The row of a file. */
export type UploadRow = Selectable<UploadsTable>;

/** What the files of an account take together. */
export interface Taken {
  readonly bytes: number;
  readonly files: number;
}

/** What an account's files take that have not expired, those on their way into the store too. */
export async function takenBy(
  kysely: Kysely<Tables>,
  accountId: string,
  now: number,
): Promise<Taken> {
  const { bytes, files } = await kysely
    .selectFrom('uploads')
    .select(({ fn }) => [
      fn.sum<number | null>('file_size').as('bytes'),
      fn.countAll<number>().as('files'),
    ])
    .where('account_id', '=', accountId)
    .where('state', '!=', 'deleted')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return { bytes: bytes ?? 0, files };
}

/** Makes other transactions that add files of this account wait for this one. */
export async function lockAccount(
  transaction: Transaction<Tables>,
  accountId: string,
): Promise<void> {
  // On SQLite the transaction itself, begun as immediate, is the lock.
  if (isSqlite(transaction)) return;
  await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .forUpdate()
    .execute();
}

/** Notes a file that is about to be put into the store. */
export async function addPending(
  transaction: Transaction<Tables>,
  row: Omit<Insertable<UploadsTable>, 'state'>,
): Promise<void> {
  await transaction
    .insertInto('uploads')
    .values({ ...row, state: 'pending' })
    .execute();
}

/** Lets the account see a file that is in the store; false when it has been given up meanwhile. */
export async function confirm(transaction: Transaction<Tables>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('uploads')
    .set({ state: 'stored' })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The files that an account sees, which are those that are stored and have not expired. */
export function visibleTo(kysely: Kysely<Tables>, accountId: string, now: number) {
  return (
    kysely
      .selectFrom('uploads')
      .where('account_id', '=', accountId)
      .where('state', '=', 'stored')
      // As a sum it is in no index: SQLite would go through the files of all accounts by that one.
      .where((eb) => eb(eb('expires_at', '+', 0), '>', now))
  );
}

/** Hides files of an account from it, all or those with these ids; gives the ids of the hidden. */
export async function hide(
  transaction: Transaction<Tables>,
  { accountId, ids, now }: { accountId: string; ids: readonly string[] | 'all'; now: number },
): Promise<readonly string[]> {
  const rows = await transaction
    .updateTable('uploads')
    .set({ state: 'deleted' })
    .where('account_id', '=', accountId)
    .where('state', '=', 'stored')
    .where('expires_at', '>', now)
    .$if(ids !== 'all', (query) => query.where('id', 'in', ids as readonly string[]))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Gives up a file that never got into the store. */
export async function giveUp(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction
    .updateTable('uploads')
    .set({ state: 'deleted' })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

/** Hides files whose time is over, some at a time; says whether there may be more. */
export async function expire(
  transaction: Transaction<Tables>,
  now: number,
  limit: number,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('uploads')
    .set({ state: 'deleted' })
    .where('state', '=', 'stored')
    .where('id', 'in', (query) =>
      query
        .selectFrom('uploads')
        .select('id')
        .where('state', '=', 'stored')
        .where('expires_at', '<=', now)
        .limit(limit),
    )
    .executeTakeFirst();
  return numUpdatedRows >= BigInt(limit);
}

/** Files on their way into the store. */
export function pendingRows(
  kysely: Kysely<Tables>,
): Promise<readonly Pick<UploadRow, 'id' | 'owner' | 'created_at'>[]> {
  return kysely
    .selectFrom('uploads')
    .select(['id', 'owner', 'created_at'])
    .where('state', '=', 'pending')
    .execute();
}

/** The ids of files that are hidden and may still be in the store, in order, behind `after`. */
export async function deletedRows(
  kysely: Kysely<Tables>,
  { after, limit }: { after: string; limit: number },
): Promise<readonly string[]> {
  const rows = await kysely
    .selectFrom('uploads')
    .select('id')
    .where('state', '=', 'deleted')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Forgets a file that is out of the store. */
export async function dropRow(transaction: Transaction<Tables>, id: string): Promise<void> {
  await transaction
    .deleteFrom('uploads')
    .where('id', '=', id)
    .where('state', '=', 'deleted')
    .execute();
}
