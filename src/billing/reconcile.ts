import { type Selectable, type Transaction } from 'kysely';
import { NO_USAGE } from '../contract/usage.js';
import { type HoldsTable, type Tables } from '../database/tables.js';
import { lockAccounts } from './changes.js';
import { ledgerRow, releaseOf, type SettlementEntry } from './entries.js';
import { type DeadProcess, UNANNOUNCED } from './processes.service.js';
import { requestRow } from './request-row.js';
import { settle, takeBack, UNKNOWN_STATUS } from './settle.js';

/**
 * Settles calls of a dead process at what was held for them, and says how many; none are left when
 * it says 0, or the process has shown that it lives.
 */
export async function reconcile(
  transaction: Transaction<Tables>,
  { id, beat }: DeadProcess,
): Promise<number> {
  const process = await transaction
    .selectFrom('processes')
    .select('beat')
    .where('id', '=', id)
    .executeTakeFirst();
  if ((process?.beat ?? UNANNOUNCED) !== beat) return 0;
  const orphans = await transaction
    .selectFrom('holds')
    .selectAll()
    .where('process_id', '=', id)
    .orderBy('id')
    .limit(MOST_HOLDS)
    .execute();
  const taken = await takeBack(
    transaction,
    orphans.map((hold) => hold.id),
  );
  // Their process may have lived long enough to settle some of them.
  const ids = new Set(taken.map((hold) => hold.id));
  const holds = orphans.filter((hold) => ids.has(hold.id));
  await lockAccounts(
    transaction,
    holds.map((hold) => hold.account_id),
  );
  await settle(transaction, holds.map(settlementAt), taken);
  return holds.length;
}

const MOST_HOLDS = 200;

function settlementAt(hold: Selectable<HoldsTable>): SettlementEntry {
  const record = {
    requestId: hold.request_id,
    accountId: hold.account_id,
    keyId: hold.key_id,
    endpoint: hold.endpoint,
    requestedModel: hold.requested_model,
    model: hold.model,
    provider: hold.provider,
    status: UNKNOWN_STATUS,
    outcome: 'error',
    usage: NO_USAGE,
    cost: hold.amount_units,
    estimated: true,
    attempts: [],
    durationMs: 0,
    firstByteMs: null,
    user: hold.user,
    metadata: null,
    createdAt: hold.created_at,
  } as const;
  const request = { ...requestRow(record, hold.id), metadata: hold.metadata };
  return { ...releaseOf(hold), request, ledger: ledgerRow('reconciled') };
}
