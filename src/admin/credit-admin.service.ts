import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../accounts/api-keys.service.js';
import { Ledger, type LedgerEntry } from '../billing/ledger.service.js';
import { GatewayError } from '../contract/gateway-error.js';
import { usdNumber } from '../contract/money.js';
import { isoOf } from '../http/moment.js';
import { cursorAt, type Page, placeOf } from '../http/page.js';
import { type PageQuery } from '../http/query.js';
import { invalidValue } from '../http/parameter-error.js';
import { AccountAdmin } from './account-admin.service.js';
import { type GrantBody, type LedgerEntryObject } from './dto/grant.dto.js';
import { exactUnits } from './settings.js';

/** Gives accounts credit, and shows what became of it. */
@Injectable()
export class CreditAdmin {
  constructor(
    private readonly accounts: AccountAdmin,
    private readonly ledger: Ledger,
    private readonly apiKeys: ApiKeys,
  ) {}

  /**
   * Books a grant; with an idempotency key that was used for the same one, gives that one again.
   *
   * @throws GatewayError 400 for an amount that cannot be booked, 404 for an unknown account, 409
   * for an idempotency key that was used for another grant.
   */
  async grant(
    accountId: string,
    { amount, note }: GrantBody,
    idempotencyKey: string | undefined,
  ): Promise<LedgerEntryObject> {
    if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
      const message = 'Invalid Idempotency-Key: expected 1 to 255 visible characters.';
      throw new GatewayError(400, 'invalid_value', message, { param: 'Idempotency-Key' });
    }
    if (amount === 0) throw invalidValue('amount', 'expected something else than 0');
    const units = exactUnits(amount, 'amount');
    const { limited } = await this.accounts.find(accountId);
    const entry = await this.ledger.grant(accountId, units, {
      ...(note !== undefined && { note }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
    // From its first grant on an account has credits, and its keys must know.
    if (limited === 0) this.apiKeys.forget();
    return entryOf(entry);
  }

  /** The entries, newest first. @throws GatewayError 404 for an unknown account. */
  async entries(accountId: string, page: PageQuery): Promise<Page<LedgerEntryObject>> {
    const cursor = placeOf(page.cursor, /^[\w-]{1,64}$/);
    await this.accounts.find(accountId);
    const { data, next_cursor: next } = await this.ledger.entries(accountId, {
      limit: page.limit,
      ...(cursor !== undefined && { cursor }),
    });
    return { data: data.map(entryOf), next_cursor: next === null ? null : cursorAt(next) };
  }
}

/** Visible ASCII, and spaces inside. */
const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,255}$/;

function entryOf({ amount, created_at: createdAt, ...entry }: LedgerEntry): LedgerEntryObject {
  return { ...entry, amount: usdNumber(amount), created_at: isoOf(createdAt) };
}
