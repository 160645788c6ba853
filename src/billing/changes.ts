import { type RawBuilder, sql, SqliteAdapter, type Transaction } from 'kysely';
import { type Units } from '../contract/money.js';
import { type Tables } from '../database/tables.js';

/** How an account changes: what was held for it is released, and a part of that is spent. */
export interface AccountChange {
  readonly accountId: string;
  readonly released: Units;
  readonly spent: Units;
}

/** How the spending of a key in a window changes. */
export interface SpendChange {
  readonly keyId: string;
  readonly spendWindow: string;
  readonly released: Units;
  readonly spent: Units;
}

/** An account after a change. */
export interface ChangedAccount {
  readonly id: string;
  readonly limited: number;
  readonly balance_units: Units;
}

/**
 * Makes a transaction that changes several accounts wait here for those of others: PostgreSQL locks
 * rows one by one, and two that take them in different orders would wait for each other.
 */
export async function lockAccounts(
  transaction: Transaction<Tables>,
  accountIds: readonly string[],
): Promise<void> {
  const ids = [...new Set(accountIds)];
  // On SQLite the transaction itself, begun as immediate, is the lock.
  if (ids.length < 2 || transaction.getExecutor().adapter instanceof SqliteAdapter) return;
  await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Applies the changes, summed for each account. For one that spends freely only `held` changes.
 */
export async function changeAccounts(
  transaction: Transaction<Tables>,
  changes: readonly AccountChange[],
): Promise<readonly ChangedAccount[]> {
  if (changes.length === 0) return [];
  const rows = summed(changes, ({ accountId }) => accountId).map(
    ([{ accountId }, released, spent]) =>
      sql`(${text(accountId)}, ${whole(released)}, ${whole(spent)})`,
  );
  const { rows: changed } = await sql<ChangedAccount>`
    with batch (account_id, released, spent) as (values ${sql.join(rows)})
    update accounts set
      held_units = held_units - released,
      balance_units = balance_units + limited * (released - spent),
      spent_units = spent_units + limited * spent
    from batch where id = account_id
    returning id, limited, balance_units`.execute(transaction);
  return changed;
}

/** Applies the changes, summed for each key and window. */
export async function changeSpending(
  transaction: Transaction<Tables>,
  changes: readonly SpendChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = summed(changes, windowOf).map(
    ([{ keyId, spendWindow }, released, spent]) =>
      sql`(${text(keyId)}, ${text(spendWindow)}, ${whole(released)}, ${whole(spent)})`,
  );
  await sql`
    with batch (key, time, released, spent) as (values ${sql.join(rows)})
    update key_spend set
      held_units = held_units - released,
      spent_units = spent_units + spent
    from batch where key_id = key and spend_window = time`.execute(transaction);
}

/** A text or a whole number inside `values`, where PostgreSQL does not know the column's type. */
export const text = (value: string): RawBuilder<string> => sql`cast(${value} as text)`;
export const whole = (value: Units): RawBuilder<Units> => sql`cast(${value} as bigint)`;

/** One key for each key and window. */
export const windowOf = (of: Pick<SpendChange, 'keyId' | 'spendWindow'>): string =>
  `${of.keyId} ${of.spendWindow}`;

function summed<T extends { readonly released: Units; readonly spent: Units }>(
  changes: readonly T[],
  keyOf: (change: T) => string,
): [T, Units, Units][] {
  const sums = new Map<string, [T, Units, Units]>();
  for (const change of changes) {
    const key = keyOf(change);
    const [first, released, spent] = sums.get(key) ?? [change, 0n, 0n];
    sums.set(key, [first, released + change.released, spent + change.spent]);
  }
  return [...sums.values()];
}
