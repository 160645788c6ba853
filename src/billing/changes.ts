import { type Transaction } from 'kysely';
import { isSqlite } from '../database/is-sqlite.js';
import { type Units } from '../contract/money.js';
import { RowStatement } from '../database/row-statement.js';
import { type Tables } from '../database/tables.js';

/** How an account changes: what was held for it is released, and a part of that is spent. */
interface AccountChange {
  readonly accountId: string;
  readonly released: Units;
  readonly spent: Units;
}

/** How the spending of a key in a window changes. */
interface SpendChange {
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
  if (new Set(accountIds).size > 1) await awaitAccounts(transaction, accountIds);
}

/** Waits until no other transaction changes these accounts: what those have written is seen then. */
export async function awaitAccounts(
  transaction: Transaction<Tables>,
  accountIds: readonly string[],
): Promise<void> {
  // On SQLite the transaction itself, begun as immediate, is the lock.
  if (isSqlite(transaction)) return;
  await transaction
    .selectFrom('accounts')
    .select('id')
    .where('id', 'in', [...new Set(accountIds)])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Applies the changes, summed for each account. For one that spends freely only `held` changes.
 */
export function changeAccounts(
  transaction: Transaction<Tables>,
  changes: readonly AccountChange[],
): Promise<readonly ChangedAccount[]> {
  return CHANGE_ACCOUNTS.run(
    transaction,
    summed(changes, ({ accountId }) => accountId),
  );
}

const CHANGE_ACCOUNTS = new RowStatement<AccountChange, ChangedAccount>(
  { accountId: 'text', released: 'bigint', spent: 'bigint' },
  ({ rows }) => `
    with batch (account_id, released, spent) as (${rows})
    update accounts set
      held_units = held_units - released,
      balance_units = balance_units + limited * (released - spent),
      spent_units = spent_units + limited * spent
    from batch where id = account_id
    returning id, limited, balance_units`,
);

/** Applies the changes, summed for each key and window. */
export async function changeSpending(
  transaction: Transaction<Tables>,
  changes: readonly SpendChange[],
): Promise<void> {
  await CHANGE_SPENDING.run(transaction, summed(changes, windowOf));
}

const CHANGE_SPENDING = new RowStatement<SpendChange>(
  { keyId: 'text', spendWindow: 'text', released: 'bigint', spent: 'bigint' },
  ({ rows }) => `
    with batch (key, time, released, spent) as (${rows})
    update key_spend set
      held_units = held_units - released,
      spent_units = spent_units + spent
    from batch where key_id = key and spend_window = time`,
);

/** One key for each key and window. */
export const windowOf = (of: Pick<SpendChange, 'keyId' | 'spendWindow'>): string =>
  `${of.keyId} ${of.spendWindow}`;

function summed<T extends { readonly released: Units; readonly spent: Units }>(
  changes: readonly T[],
  keyOf: (change: T) => string,
): readonly T[] {
  const sums = new Map<string, T>();
  for (const change of changes) {
    const key = keyOf(change);
    const { released, spent } = sums.get(key) ?? NOTHING;
    const sum = { released: released + change.released, spent: spent + change.spent };
    sums.set(key, { ...change, ...sum });
  }
  return [...sums.values()];
}

const NOTHING = { released: 0n, spent: 0n };
