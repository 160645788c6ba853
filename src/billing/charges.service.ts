import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type UsageRecord } from '../contract/usage-record.js';
import { failureOf } from '../database/failure.js';
import { within } from '../database/transact.js';
import { Books } from './books.service.js';
import { ledgerRow, type SettlementEntry } from './entries.js';
import { type Hold } from './holds.service.js';
import { Outbox } from './outbox.service.js';
import { requestRow } from './request-row.js';

/** Whom a charge concerns, and what was held for it. */
export interface Charged {
  /** Of the call's row; the hold's where there is one. */
  readonly id: string;
  readonly caller: Caller;
  readonly requestId: string;
  readonly hold: Hold | undefined;
}

/** Charges what calls cost, releases what was held for them, and keeps a durable row of each. */
@Injectable()
export class Charges {
  constructor(
    private readonly books: Books,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Resolves when it is certain that the call is booked, once: it is in the database or, when that
   * is away for a second, or was away before, on the disk.
   *
   * @throws GatewayError 503 when it is on neither; it is booked when the database is back.
   */
  async settle(charged: Charged, record: UsageRecord): Promise<void> {
    try {
      const request = requestRow(record, charged.id);
      await this.write({ ...entryOf(charged), request });
    } catch (error) {
      // A row that the database refuses must not keep the money.
      if (!(error instanceof GatewayError)) await this.release(charged);
      throw error;
    }
  }

  /** The same for an attempt that failed and cost nothing, after which the call goes on. */
  async release(charged: Charged): Promise<void> {
    if (charged.hold) await this.write(entryOf(charged));
  }

  private async write(entry: SettlementEntry): Promise<void> {
    const { areAway } = this.books;
    const booked = this.books.write(entry);
    try {
      await within(areAway ? SHORT_PATIENCE_MS : PATIENCE_MS, booked);
    } catch (error) {
      if (failureOf(error) === 'fault') throw error;
      await this.outbox.keep(entry, booked).catch(unkept);
    }
  }
}

const PATIENCE_MS = 1_000;
/** For a database that has just been waited for in vain, as for a hold: the caller waits for both. */
const SHORT_PATIENCE_MS = 50;

function unkept(cause: unknown): never {
  const message = 'The gateway cannot reach its database to record this call.';
  throw new GatewayError(503, 'provider_unavailable', message, { retryAfter: 1, cause });
}

function entryOf({ caller, requestId, hold }: Charged): SettlementEntry {
  return {
    kind: 'settlement',
    request: null,
    holdId: hold?.id,
    accountId: caller.accountId,
    keyId: caller.budgetId,
    requestId,
    limited: caller.limited,
    spendWindow: hold?.spendWindow ?? null,
    ledger: ledgerRow('charge'),
  };
}
