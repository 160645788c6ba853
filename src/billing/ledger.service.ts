import { Injectable } from '@nestjs/common';
import { type Transaction } from 'kysely';
import { type Units } from '../contract/money.js';
import { Database } from '../database/database.service.js';
import { type LedgerTable, type Tables } from '../database/tables.js';
import {
  addCredit,
  creditOf,
  earlierGrant,
  type GrantRow,
  grantRow,
  insertGrant,
  lockedCredit,
} from './grant.js';

/** One change of an account's credit; with nothing held, all of them sum to its balance. */
export interface LedgerEntry {
  /** Rises with time. */
  readonly id: string;
  readonly type: LedgerTable['type'];
  /** What the account gained; negative for what it spent or what was taken back. */
  readonly amount: Units;
  readonly request_id: string | null;
  readonly note: string | null;
  /** Unix milliseconds. */
  readonly created_at: number;
}

interface GrantOptions {
  readonly note?: string;
  /** The same key with the same grant again gives the same entry, and grants nothing more. */
  readonly idempotencyKey?: string;
}

interface LedgerPage {
  readonly data: readonly LedgerEntry[];
  /** Where the next page begins; null on the last one. */
  readonly next_cursor: string | null;
}

/** What accounts were granted, and what they spent of it. */
@Injectable()
export class Ledger {
  constructor(private readonly database: Database) {}

  /**
   * Gives an account credit, or takes some of its balance back where the amount is negative. An
   * account that spent freely is limited from its first grant on.
   *
   * @throws GatewayError 404 for an unknown account, 400 for an amount that is too large or not
   * there to be taken, 409 for an idempotency key that was used for another grant.
   */
  grant(accountId: string, amount: Units, options: GrantOptions = {}): Promise<LedgerEntry> {
    const { note = null, idempotencyKey } = options;
    const row = grantRow(accountId, amount, note);
    return this.database.write(async (transaction) => {
      const earlier =
        idempotencyKey === undefined
          ? undefined
          : await earlierGrant(transaction, row, idempotencyKey);
      if (!earlier) await addCredit(transaction, row);
      return entryOf(earlier ?? row);
    });
  }

  /** A page of an account's entries, newest first. @throws GatewayError 404 for an unknown one. */
  entries(
    accountId: string,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string },
  ): Promise<LedgerPage> {
    return this.database.read(async (kysely) => {
      const ofAccount = kysely.selectFrom('ledger').selectAll().where('account_id', '=', accountId);
      const older = cursor === undefined ? ofAccount : ofAccount.where('id', '<', cursor);
      const rows = await older
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      if (rows.length === 0) await creditOf(kysely, accountId);
      const data = rows.slice(0, limit).map(entryOf);
      return { data, next_cursor: rows.length > limit ? (data.at(-1)?.id ?? null) : null };
    });
  }

  /**
   * Sets an account's balance, or with null lets it spend freely, as part of a transaction.
   *
   * @throws GatewayError 404 for an unknown account, 400 for an amount that is too large.
   */
  async setLimited(
    transaction: Transaction<Tables>,
    accountId: string,
    balance: Units | null,
  ): Promise<void> {
    const { limited, balance_units, held_units } = await lockedCredit(transaction, accountId);
    if (balance !== null) {
      const missing = limited === 1 ? balance - balance_units : balance + held_units;
      await addCredit(transaction, grantRow(accountId, missing, null));
      return;
    }
    if (limited === 0) return;
    // What is held stays so until its call ends, and is charged to nobody then.
    const taken = grantRow(accountId, -(balance_units + held_units), 'credit limit removed');
    await insertGrant(transaction, taken);
    await transaction
      .updateTable('accounts')
      .set({ limited: false, balance_units: 0n })
      .where('id', '=', accountId)
      .execute();
  }
}

function entryOf({ id, type, amount_units, request_id, note, created_at }: GrantRow): LedgerEntry {
  return { id, type, amount: amount_units, request_id, note, created_at };
}
