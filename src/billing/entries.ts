import { type Insertable, type Selectable } from 'kysely';
import { type Units } from '../contract/money.js';
import { type HoldsTable, type RequestsTable } from '../database/tables.js';
import { risingId } from './rising-id.js';

/** Money to be set aside. */
export interface HoldEntry {
  readonly kind: 'hold';
  readonly hold: Selectable<HoldsTable>;
  /** The ends of the attempts before it, whose holds it takes the place of. */
  readonly instead: readonly SettlementEntry[];
  /** The key for which the spending counts. */
  readonly budgetId: string;
  /** What the key may spend in the hold's window; null for a key without a limit. */
  readonly spendLimit: Units | null;
  /** It may have been written before, in a transaction whose outcome was lost. */
  tried: boolean;
  /** Why nothing was set aside; known when the entry has been written. */
  refusal: 'insufficient_credits' | 'spend_limit_reached' | undefined;
}

/** The end of a call, or of one of its attempts: what it cost, and its hold given back. */
export interface SettlementEntry {
  readonly kind: 'settlement';
  /** The call's row; null for an attempt that failed, after which the call goes on. */
  readonly request: Insertable<RequestsTable> | null;
  /** Undefined when nothing was held. Else it is the row's id too. */
  readonly holdId: string | undefined;
  readonly accountId: string;
  /** The key for which the spending counts. */
  readonly keyId: string;
  readonly requestId: string;
  /** Whether the account pays for what was not held. */
  readonly limited: boolean;
  readonly spendWindow: string | null;
  /** The beginnings of a ledger row, should there be something to pay. */
  readonly ledger: {
    readonly id: string;
    readonly type: 'charge' | 'reconciled';
    readonly created_at: number;
  };
}

const BESIDE = '.2';

/** The id of what is held for a second try of a call beside the first one's. */
export function besideOf(holdId: string): string {
  return holdId + BESIDE;
}

/** The id of the first of the holds that a call has at the same time, with this one among them. */
export function firstHoldOf(holdId: string): string {
  return holdId.endsWith(BESIDE) ? holdId.slice(0, -BESIDE.length) : holdId;
}

/** What the books are written from. */
export type Entry = HoldEntry | SettlementEntry;

/** The end of an attempt for which this was held. */
export function releaseOf(
  hold: Pick<HoldsTable, 'id' | 'account_id' | 'request_id' | 'spend_window'>,
  budgetId: string,
): SettlementEntry {
  return {
    kind: 'settlement',
    request: null,
    holdId: hold.id,
    accountId: hold.account_id,
    keyId: budgetId,
    requestId: hold.request_id,
    limited: true,
    spendWindow: hold.spend_window,
    ledger: ledgerRow('charge'),
  };
}

/** The id, type and time of a ledger row made now. */
export function ledgerRow(type: 'charge' | 'reconciled'): SettlementEntry['ledger'] {
  return { id: risingId(), type, created_at: Date.now() };
}
