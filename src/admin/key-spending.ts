import { type Selectable, type Transaction } from 'kysely';
import { spendWindow, spendWindowStart } from '../billing/spend-window.js';
import { type SpendLimit } from '../contract/caller.js';
import { type Database } from '../database/database.service.js';
import { type ApiKeysTable, type Tables } from '../database/tables.js';

type Per = SpendLimit['per'];

/**
 * What a key, with those that it was rotated from or to, has spent of a limit before it had that limit, as
 * far as their requests are kept.
 */
export interface SpentBefore {
  readonly keyId: string;
  readonly spendWindow: string;
  readonly spent: bigint;
}

/** Adds up what they have spent since the day, week or month began, or ever. */
export async function spentBefore(
  database: Database,
  { id, account_id: accountId, budget_id: budgetId }: Selectable<ApiKeysTable>,
  per: Per,
): Promise<SpentBefore> {
  const now = Date.now();
  const keyId = budgetId ?? id;
  const row = await database.read((kysely) =>
    kysely
      .selectFrom('requests')
      .select((eb) => eb.fn.sum<bigint | string | null>('cost_units').as('spent'))
      .where('account_id', '=', accountId)
      .where('key_id', 'in', (eb) =>
        eb
          .selectFrom('api_keys')
          .select('id')
          .where('account_id', '=', accountId)
          .where((either) =>
            either.or([either('id', '=', keyId), either('budget_id', '=', keyId)]),
          ),
      )
      .where('created_at', '>=', spendWindowStart(per, now))
      .executeTakeFirst(),
  );
  return { keyId, spendWindow: spendWindow(per, now), spent: BigInt(row?.spent ?? 0) };
}

/** Counts it, unless more is counted already. */
export async function countSpent(
  transaction: Transaction<Tables>,
  { keyId, spendWindow: window, spent }: SpentBefore,
): Promise<void> {
  await transaction
    .insertInto('key_spend')
    .values({ key_id: keyId, spend_window: window, held_units: 0n, spent_units: spent })
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'spend_window'])
        .doUpdateSet({ spent_units: spent })
        .where('key_spend.spent_units', '<', spent),
    )
    .execute();
}
