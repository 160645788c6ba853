import { type Transaction } from 'kysely';
import { type Units } from '../contract/money.js';
import { RowStatement } from '../database/row-statement.js';
import { type Tables } from '../database/tables.js';
import { awaitAccounts, changeAccounts, windowOf } from './changes.js';
import { INSERT_HOLDS } from './rows.js';
import { type HoldEntry } from './entries.js';

/**
 * Sets the money of each entry aside where the account has it and the key may spend it, and marks
 * the other entries as refused. Entries that have been written before stay as they are.
 */
export async function takeHolds(
  transaction: Transaction<Tables>,
  entries: readonly HoldEntry[],
): Promise<void> {
  const written = await writtenBefore(transaction, entries);
  const wanted = entries.filter(({ hold }) => !written.has(hold.id));
  const taken: HoldEntry[] = [];
  for (let left = wanted; left.length > 0;) {
    const covered = await cover(transaction, left);
    const refused = await refuseSpending(transaction, covered);
    taken.push(...covered.filter((entry) => !refused.has(entry)));
    // What those gave back may be enough for others of their account.
    const richer = new Set([...refused].map(({ hold }) => hold.account_id));
    left = left.filter(({ refusal, hold }) => {
      return refusal === 'insufficient_credits' && richer.has(hold.account_id);
    });
  }
  await INSERT_HOLDS.run(
    transaction,
    taken.map(({ hold }) => hold),
  );
}

/** Takes the credit of each entry where the account has it, and marks the others as refused. */
async function cover(
  transaction: Transaction<Tables>,
  entries: readonly HoldEntry[],
): Promise<readonly HoldEntry[]> {
  for (const entry of entries) entry.refusal = 'insufficient_credits';
  const covered = await reserve(
    entries,
    { keyOf: ({ hold }) => hold.account_id, needOf: ({ hold }) => hold.amount_units },
    (groups) => takeCredit(transaction, groups),
  );
  for (const entry of covered) entry.refusal = undefined;
  return covered;
}

/** Entries that want the same thing, and how much of it together. */
interface Group {
  readonly key: string;
  readonly first: HoldEntry;
  readonly amount: Units;
  /** What the key with the lowest limit may spend: one and its successor may have different ones. */
  readonly most: Units;
}

/** How entries are told apart, and how much each one needs of what those with its key share. */
interface Wish {
  readonly keyOf: (entry: HoldEntry) => string;
  readonly needOf: (entry: HoldEntry) => Units;
}

/**
 * The entries that get what they want: all of a group at once or, where it does not have enough for
 * all, one by one as they came. Where one got nothing, those that need as much are not tried: a flood
 * of calls without credit would keep the account locked for as many statements.
 */
async function reserve(
  entries: readonly HoldEntry[],
  { keyOf, needOf }: Wish,
  take: (groups: readonly Group[]) => Promise<ReadonlySet<string>>,
): Promise<readonly HoldEntry[]> {
  if (entries.length === 0) return [];
  const groups = Map.groupBy(entries, keyOf);
  const whole = await take([...groups].map(([key, members]) => sumOf(key, members)));
  const reserved: HoldEntry[] = [];
  const tooMuch = new Map<string, Units>();
  for (const entry of entries) {
    const key = keyOf(entry);
    const need = needOf(entry);
    const alone = groups.get(key)?.length === 1;
    const most = tooMuch.get(key);
    if (whole.has(key)) reserved.push(entry);
    else if (alone || (most !== undefined && need >= most)) continue;
    else if ((await take([sumOf(key, [entry])])).has(key)) reserved.push(entry);
    else tooMuch.set(key, need);
  }
  return reserved;
}

function sumOf(key: string, members: readonly HoldEntry[]): Group {
  const [first] = members;
  if (!first) throw new Error('a group has at least one member');
  const amount = members.reduce((sum, { hold }) => sum + hold.amount_units, 0n);
  const limits = members.map(({ spendLimit }) => spendLimit ?? 0n);
  return { key, first, amount, most: limits.reduce((least, one) => (one < least ? one : least)) };
}

async function takeCredit(
  transaction: Transaction<Tables>,
  groups: readonly Group[],
): Promise<ReadonlySet<string>> {
  const taken = await TAKE_CREDIT.run(transaction, groups);
  return new Set(taken.map(({ id }) => id));
}

const TAKE_CREDIT = new RowStatement<Pick<Group, 'key' | 'amount'>, { id: string }>(
  { key: 'text', amount: 'bigint' },
  ({ rows }) => `
    with batch (account_id, amount) as (${rows})
    update accounts set
      held_units = held_units + amount,
      balance_units = balance_units - limited * amount
    from batch where id = account_id and (limited = 0 or balance_units >= amount)
    returning id`,
);

/** Marks the entries whose keys may not spend so much, and gives their accounts the money back. */
async function refuseSpending(
  transaction: Transaction<Tables>,
  entries: readonly HoldEntry[],
): Promise<ReadonlySet<HoldEntry>> {
  const bounded = entries.filter(({ spendLimit }) => spendLimit !== null);
  if (bounded.length === 0) return new Set();
  await openWindows(transaction, bounded);
  const wish = {
    keyOf: windowKey,
    needOf: ({ hold, spendLimit }: HoldEntry) => hold.amount_units - (spendLimit ?? 0n),
  };
  const within = await reserve(bounded, wish, (groups) => takeSpending(transaction, groups));
  const refused = new Set(bounded.filter((entry) => !within.includes(entry)));
  for (const entry of refused) entry.refusal = 'spend_limit_reached';
  await changeAccounts(
    transaction,
    [...refused].map(({ hold }) => ({
      accountId: hold.account_id,
      released: hold.amount_units,
      spent: 0n,
    })),
  );
  return refused;
}

async function openWindows(
  transaction: Transaction<Tables>,
  entries: readonly HoldEntry[],
): Promise<void> {
  const windows = [...Map.groupBy(entries, windowKey).values()].flatMap(([first]) => first ?? []);
  await transaction
    .insertInto('key_spend')
    .values(
      windows.map(({ hold, budgetId }) => ({
        key_id: budgetId,
        spend_window: hold.spend_window ?? '',
        held_units: 0n,
        spent_units: 0n,
      })),
    )
    .onConflict((conflict) => conflict.columns(['key_id', 'spend_window']).doNothing())
    .execute();
}

async function takeSpending(
  transaction: Transaction<Tables>,
  groups: readonly Group[],
): Promise<ReadonlySet<string>> {
  const taken = await TAKE_SPENDING.run(
    transaction,
    groups.map(({ first: { hold, budgetId }, amount, most }) => ({
      keyId: budgetId,
      spendWindow: hold.spend_window ?? '',
      amount,
      most,
    })),
  );
  return new Set(
    taken.map((row) => windowOf({ keyId: row.key_id, spendWindow: row.spend_window })),
  );
}

const TAKE_SPENDING = new RowStatement<
  { keyId: string; spendWindow: string; amount: Units; most: Units },
  { key_id: string; spend_window: string }
>(
  { keyId: 'text', spendWindow: 'text', amount: 'bigint', most: 'bigint' },
  ({ rows }) => `
    with batch (key, time, amount, most) as (${rows})
    update key_spend set held_units = held_units + amount
    from batch where key_id = key and spend_window = time
      and held_units + spent_units <= most - amount
    returning key_id, spend_window`,
);

function windowKey({ hold, budgetId }: HoldEntry): string {
  return windowOf({ keyId: budgetId, spendWindow: hold.spend_window ?? '' });
}

/**
 * The ids of holds that an earlier transaction has written although its outcome was lost: also of those
 * that were reconciled since, because their process was taken for dead, and have a row instead.
 */
async function writtenBefore(
  transaction: Transaction<Tables>,
  entries: readonly HoldEntry[],
): Promise<ReadonlySet<string>> {
  const again = entries.filter(({ tried }) => tried).map(({ hold }) => hold);
  for (const entry of entries) entry.tried = true;
  if (again.length === 0) return new Set();
  // The commit whose answer was not waited for may still be under way.
  await awaitAccounts(
    transaction,
    again.map(({ account_id: accountId }) => accountId),
  );
  const ids = again.map(({ id }) => id);
  const rows = await transaction
    .selectFrom('holds')
    .select('id')
    .where('id', 'in', ids)
    .unionAll(transaction.selectFrom('requests').select('id').where('id', 'in', ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
