import { type Kysely, type Selectable, sql, type Transaction } from 'kysely';
import { createHash } from 'node:crypto';
import { GatewayError } from '../contract/gateway-error.js';
import { type Units, UNITS_PER_USD, usdDecimal } from '../contract/money.js';
import { type LedgerTable, type Tables } from '../database/tables.js';
import { risingId } from './rising-id.js';

/** A ledger row that gives credit, or takes it back. */
export type GrantRow = Selectable<LedgerTable>;

/** The row of a grant made now. */
export function grantRow(accountId: string, amount: Units, note: string | null): GrantRow {
  return {
    id: risingId(),
    account_id: accountId,
    type: 'grant',
    amount_units: amount,
    request_id: null,
    note,
    created_at: Date.now(),
  };
}

/**
 * Takes an idempotency key for this grant; gives the earlier one that has it already.
 *
 * @throws GatewayError 409 when the key was used for another grant.
 */
export async function earlierGrant(
  transaction: Transaction<Tables>,
  grant: GrantRow,
  key: string,
): Promise<GrantRow | undefined> {
  const body = JSON.stringify([String(grant.amount_units), grant.note]);
  const hash = createHash('sha256').update(body).digest('hex');
  const taken = await transaction
    .insertInto('idempotency_keys')
    .values({
      account_id: grant.account_id,
      key,
      body_hash: hash,
      ledger_id: grant.id,
      created_at: grant.created_at,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .executeTakeFirst();
  if (taken.numInsertedOrUpdatedRows === 1n) return undefined;
  const { body_hash: earlierHash, ...earlier } = await transaction
    .selectFrom('idempotency_keys as used')
    .innerJoin('ledger', (join) =>
      join
        .onRef('ledger.account_id', '=', 'used.account_id')
        .onRef('ledger.id', '=', 'used.ledger_id'),
    )
    .selectAll('ledger')
    .select('used.body_hash')
    .where('used.account_id', '=', grant.account_id)
    .where('used.key', '=', key)
    .executeTakeFirstOrThrow();
  if (earlierHash === hash) return earlier;
  const message = 'This idempotency key was used for another grant.';
  throw new GatewayError(409, 'invalid_request', message, { param: 'Idempotency-Key' });
}

/**
 * Books a grant. The first one of an account that spent freely limits it; what its running calls
 * hold comes out of that grant.
 *
 * @throws GatewayError 404 for an unknown account, 400 for an amount beyond its bounds.
 */
export async function addCredit(transaction: Transaction<Tables>, grant: GrantRow): Promise<void> {
  const { account_id: accountId, amount_units: amount } = grant;
  if (amount > MOST_A_GRANT || amount < -MOST_GRANTED) {
    throw refused(`A grant is at most ${usdDecimal(MOST_A_GRANT)} USD.`);
  }
  // What takes back needs no room, and with it the difference would not fit into 64 bits.
  const mostBefore = amount > 0n ? MOST_GRANTED - amount : MOST_GRANTED;
  const { numUpdatedRows } = await transaction
    .updateTable('accounts')
    .set({
      limited: true,
      balance_units: sql<bigint>`balance_units + ${amount} - (1 - limited) * held_units`,
    })
    .where('id', '=', accountId)
    .where(sql<boolean>`balance_units - (1 - limited) * held_units >= ${-amount}`)
    .where(sql<boolean>`balance_units + limited * held_units + spent_units <= ${mostBefore}`)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return insertGrant(transaction, grant);
  const credit = await creditOf(transaction, accountId);
  const available = credit.balance_units - (credit.limited === 1 ? 0n : credit.held_units);
  if (available + amount >= 0n) {
    throw refused(`An account is granted at most ${usdDecimal(MOST_GRANTED)} USD in all.`);
  }
  if (available >= 0n) {
    throw refused(`Only ${usdDecimal(available)} USD can be taken back.`);
  }
  throw refused(`The account's running calls may cost ${usdDecimal(-available)} USD: grant more.`);
}

/** Adds the row alone, where the account's own columns are changed by other means. */
export async function insertGrant(
  transaction: Transaction<Tables>,
  grant: GrantRow,
): Promise<void> {
  if (grant.amount_units !== 0n) await transaction.insertInto('ledger').values(grant).execute();
}

/** An account's credit. @throws GatewayError 404 for an unknown account. */
export async function creditOf(database: Kysely<Tables>, accountId: string) {
  const account = await database
    .selectFrom('accounts')
    .select(['limited', 'balance_units', 'held_units'])
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account ?? unknownAccount(accountId);
}

/** The same, and nobody else changes it before the transaction ends. */
export async function lockedCredit(transaction: Transaction<Tables>, accountId: string) {
  const account = await transaction
    .updateTable('accounts')
    .set((row) => ({ held_units: row.ref('held_units') }))
    .where('id', '=', accountId)
    .returning(['limited', 'balance_units', 'held_units'])
    .executeTakeFirst();
  return account ?? unknownAccount(accountId);
}

const MOST_A_GRANT = 1_000_000n * UNITS_PER_USD;
/** The most that an account is granted in all: a column of 64 bits holds little more. */
export const MOST_GRANTED = 9_000_000n * UNITS_PER_USD;

function unknownAccount(accountId: string): never {
  throw new GatewayError(404, 'not_found', `There is no account '${accountId}'.`);
}

function refused(message: string): GatewayError {
  return new GatewayError(400, 'invalid_value', message, { param: 'amount' });
}
