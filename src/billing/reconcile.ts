import { type Selectable, type Transaction } from 'kysely';
import { type Units } from '../contract/money.js';
import { NO_USAGE } from '../contract/usage.js';
import { type HoldsTable, type Tables } from '../database/tables.js';
import { lockAccounts } from './changes.js';
import { firstHoldOf, ledgerRow, releaseOf, type SettlementEntry } from './entries.js';
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
  const found = await transaction
    .selectFrom('holds as hold')
    .leftJoin('api_keys as key', 'key.id', 'hold.key_id')
    .selectAll('hold')
    .select('key.budget_id')
    .where('process_id', '=', id)
    .orderBy('hold.id')
    .limit(MOST_HOLDS)
    .execute();
  // What else the last call holds may come behind it: it waits for the next time, whole.
  const cut = found.length < MOST_HOLDS ? undefined : found.at(-1)?.id;
  const orphans = found.filter((hold) => firstHoldOf(hold.id) !== cut);
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
  const calls = Map.groupBy(holds, ({ id }) => firstHoldOf(id));
  await settle(transaction, [...calls.values()].flatMap(settlementsAt), taken);
  return calls.size;
}

const MOST_HOLDS = 200;

/** What a dead process has held, and whose spending that counts as where that is another key's. */
type Orphan = Selectable<HoldsTable> & { readonly budget_id: string | null };

/** One row for a call that was tried twice at the same time, at what it held together. */
function settlementsAt(holds: readonly Orphan[]): readonly SettlementEntry[] {
  const [first, ...others] = holds;
  if (!first) return [];
  const cost = holds.reduce((sum, { amount_units }) => sum + amount_units, 0n);
  return [settlementAt(first, cost), ...others.map(releaseOrphan)];
}

function settlementAt(hold: Orphan, cost: Units): SettlementEntry {
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
    cost,
    estimated: true,
    attempts: [],
    durationMs: 0,
    firstByteMs: null,
    user: hold.user,
    metadata: null,
    createdAt: hold.created_at,
  } as const;
  const request = { ...requestRow(record, hold.id), metadata: hold.metadata };
  return { ...releaseOrphan(hold), request, ledger: ledgerRow('reconciled') };
}

function releaseOrphan(hold: Orphan): SettlementEntry {
  return releaseOf(hold, hold.budget_id ?? hold.key_id);
}
