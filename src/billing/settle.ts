import { type Selectable, type Transaction } from 'kysely';
import { type Units } from '../contract/money.js';
import { type RequestsTable, type Tables } from '../database/tables.js';
import { changeAccounts, type ChangedAccount, changeSpending } from './changes.js';
import { type SettlementEntry } from './entries.js';
import { DELETE_HOLDS, type HeldAmount, INSERT_LEDGER, INSERT_REQUESTS } from './rows.js';

/** Deletes the holds with these ids, and gives those that were still there. */
export function takeBack(
  transaction: Transaction<Tables>,
  ids: readonly string[],
): Promise<readonly HeldAmount[]> {
  return DELETE_HOLDS.run(
    transaction,
    ids.map((id) => ({ id })),
  );
}

/**
 * Releases what was held for each entry, charges what its call cost, and writes its rows. An entry
 * that has been written before changes nothing. Where the hold was reconciled meanwhile, the
 * difference is booked.
 *
 * @param holds those of the entries that were still there; they have been deleted.
 */
export async function settle(
  transaction: Transaction<Tables>,
  entries: readonly SettlementEntry[],
  holds: readonly HeldAmount[],
): Promise<void> {
  // One call may come twice at once, from memory and from the outbox.
  const once = [...Map.groupBy(entries, idOf).values()].flatMap(([first]) => first ?? []);
  const cases = await casesOf(transaction, once, holds);
  const accounts = await changeAccounts(
    transaction,
    cases.filter(touchesAccount).map((one) => ({
      accountId: one.entry.accountId,
      released: one.held,
      spent: covered(one),
    })),
  );
  const charges = await chargeRest(transaction, cases, accounts);
  await changeSpending(transaction, cases.flatMap(spendChange));
  await writeRequests(transaction, charges);
  await writeLedger(transaction, charges);
}

/** An entry and what the books say of it so far. */
interface Case {
  readonly entry: SettlementEntry;
  /** What was still held for it. */
  readonly held: Units;
  readonly cost: Units;
  /** What its row says since its process was taken for dead; undefined when it was not. */
  readonly reconciled: WrittenRow | undefined;
}

interface Charge extends Case {
  /** What the account pays now; negative when it gets something back. */
  readonly paid: Units;
  readonly uncollected: Units;
}

async function casesOf(
  transaction: Transaction<Tables>,
  entries: readonly SettlementEntry[],
  holds: readonly HeldAmount[],
): Promise<readonly Case[]> {
  const held = new Map(holds.map(({ id, amount_units }) => [id, amount_units]));
  const doubtful = entries.filter(({ holdId, limited, request }) =>
    holdId === undefined ? limited && (request?.cost_units ?? 0n) > 0n : !held.has(holdId),
  );
  const written = await writtenRows(transaction, doubtful);
  return entries.flatMap((entry): readonly Case[] => {
    const cost = entry.request?.cost_units ?? 0n;
    const amount = held.get(idOf(entry));
    if (amount !== undefined) return [{ entry, held: amount, cost, reconciled: undefined }];
    const row = written.get(idOf(entry));
    if (row?.status === UNKNOWN_STATUS) {
      return [{ entry, held: 0n, cost, reconciled: row }];
    }
    // Written before; or the end of an attempt that was released before.
    if (row || !entry.request) return [];
    return [{ entry, held: 0n, cost, reconciled: undefined }];
  });
}

/** The status of a row whose process died: nobody knows what the caller got. */
export const UNKNOWN_STATUS = 0;

type WrittenRow = Pick<
  Selectable<RequestsTable>,
  'id' | 'status' | 'cost_units' | 'uncollected_units'
>;

async function writtenRows(
  transaction: Transaction<Tables>,
  entries: readonly SettlementEntry[],
): Promise<ReadonlyMap<string, WrittenRow>> {
  if (entries.length === 0) return new Map();
  const rows = await transaction
    .selectFrom('requests')
    .select(['id', 'status', 'cost_units', 'uncollected_units'])
    .where('id', 'in', entries.map(idOf))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function idOf({ holdId, request }: SettlementEntry): string {
  return holdId ?? request?.id ?? '';
}

function touchesAccount({ entry, held, cost, reconciled }: Case): boolean {
  return held > 0n || reconciled !== undefined || (entry.limited && cost > 0n);
}

/** The part of the cost that the hold covers. */
function covered({ held, cost }: Case): Units {
  return cost < held ? cost : held;
}

/** What was charged for it when its process was taken for dead. */
function collected({ reconciled }: Case): Units {
  return reconciled ? reconciled.cost_units - reconciled.uncollected_units : 0n;
}

/**
 * What an account without a limit did not pay for a call whose process died. It is noted, since nothing
 * may come back of it when the call turns out to have cost less.
 */
function unpaid({ entry, cost }: Case): Units {
  return entry.request?.status === UNKNOWN_STATUS ? cost : 0n;
}

/** Charges what goes beyond the holds, as far as the balances reach; in the order of the entries. */
async function chargeRest(
  transaction: Transaction<Tables>,
  cases: readonly Case[],
  accounts: readonly ChangedAccount[],
): Promise<readonly Charge[]> {
  const balances = new Map(
    accounts.flatMap(({ id, limited, balance_units }) =>
      limited === 1 ? [[id, balance_units] as const] : [],
    ),
  );
  const charges = cases.map((one): Charge => {
    const { accountId } = one.entry;
    const balance = balances.get(accountId);
    if (balance === undefined) return { ...one, paid: 0n, uncollected: unpaid(one) };
    const rest = one.cost - covered(one) - collected(one);
    const payable = rest > balance ? balance : rest;
    balances.set(accountId, balance - payable);
    return { ...one, paid: covered(one) + payable, uncollected: rest - payable };
  });
  const rests = charges.filter((charge) => charge.paid !== covered(charge));
  await changeAccounts(
    transaction,
    rests
      .filter(({ entry }) => balances.has(entry.accountId))
      .map((charge) => ({
        accountId: charge.entry.accountId,
        released: 0n,
        spent: charge.paid - covered(charge),
      })),
  );
  return charges;
}

function spendChange({ entry, held, cost, reconciled }: Case) {
  const { keyId, spendWindow } = entry;
  return spendWindow === null
    ? []
    : [{ keyId, spendWindow, released: held, spent: cost - (reconciled?.cost_units ?? 0n) }];
}

async function writeRequests(
  transaction: Transaction<Tables>,
  charges: readonly Charge[],
): Promise<void> {
  const rows = charges.flatMap(({ entry: { request }, reconciled, uncollected }) =>
    request && reconciled === undefined ? { ...request, uncollected_units: uncollected } : [],
  );
  await INSERT_REQUESTS.run(transaction, rows);
  for (const { entry, uncollected } of charges.filter((one) => one.reconciled !== undefined)) {
    const { request } = entry;
    if (request) {
      await transaction
        .updateTable('requests')
        .set({ ...request, uncollected_units: uncollected })
        .where('id', '=', request.id)
        .execute();
    } else {
      await transaction.deleteFrom('requests').where('id', '=', idOf(entry)).execute();
    }
  }
}

async function writeLedger(
  transaction: Transaction<Tables>,
  charges: readonly Charge[],
): Promise<void> {
  const rows = charges
    .filter(({ paid }) => paid !== 0n)
    .map(({ entry: { ledger, accountId, requestId }, paid }) => ({
      ...ledger,
      type: paid < 0n ? ('refund' as const) : ledger.type,
      account_id: accountId,
      amount_units: -paid,
      request_id: requestId,
      note: null,
    }));
  await INSERT_LEDGER.run(transaction, rows);
}
