import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { type Units } from '../contract/money.js';
import { Database } from '../database/database.service.js';
import { spendWindow } from './spend-window.js';

/** Tells what a caller may still spend. */
@Injectable()
export class Allowance {
  constructor(private readonly database: Database) {}

  /**
   * The least of what is left of the account's credit and the key's spend limit; undefined where
   * neither is limited. Another call may take it in the meantime: a hold has the last word.
   *
   * @throws GatewayError 503 while the database is away.
   */
  async of({
    accountId,
    budgetId,
    keyType,
    limited,
    spendLimit,
  }: Caller): Promise<Units | undefined> {
    if (keyType === 'sandbox' || (!limited && !spendLimit)) return undefined;
    const window = spendLimit ? spendWindow(spendLimit.per, Date.now()) : '';
    const row = await this.database.read((kysely) =>
      kysely
        .selectFrom('accounts as account')
        .leftJoin('key_spend as spend', (join) =>
          join.on('spend.key_id', '=', budgetId).on('spend.spend_window', '=', window),
        )
        .select(['account.balance_units', 'spend.held_units', 'spend.spent_units'])
        .where('account.id', '=', accountId)
        .executeTakeFirst(),
    );
    const left = [
      ...(limited ? [row?.balance_units ?? 0n] : []),
      ...(spendLimit
        ? [spendLimit.amount - (row?.held_units ?? 0n) - (row?.spent_units ?? 0n)]
        : []),
    ];
    return left.reduce((least, one) => (one < least ? one : least));
  }
}
