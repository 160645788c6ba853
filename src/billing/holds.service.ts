import { Injectable } from '@nestjs/common';
import { type Caller } from '../contract/caller.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Units, usdDecimal } from '../contract/money.js';
import { away, ConnectionLost } from '../database/failure.js';
import { within } from '../database/transact.js';
import { Books } from './books.service.js';
import { besideOf, type HoldEntry, releaseOf } from './entries.js';
import { MOST_GRANTED } from './grant.js';
import { Outbox } from './outbox.service.js';
import { Processes } from './processes.service.js';
import { type CallFacts, callColumns } from './request-row.js';
import { risingId } from './rising-id.js';
import { spendWindow } from './spend-window.js';

/** What a call has set aside already. */
export interface EarlierHolds {
  /**
   * What earlier tries have held. It is released in the same transaction, so that no other call can
   * take it in between; it is released, too, when the new amount is refused.
   */
  readonly instead?: readonly Hold[];
  /** What is held for a try that runs at the same time. */
  readonly beside?: Hold | undefined;
}

/** Money that was set aside for a call, until the call is settled or the hold released. */
export interface Hold {
  readonly id: string;
  readonly amount: Units;
  readonly spendWindow: string | null;
}

/** Sets money aside before a call leaves for a provider. */
@Injectable()
export class Holds {
  constructor(
    private readonly books: Books,
    private readonly processes: Processes,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Resolves when the hold is durable; at once, with none and nothing released, where neither the
   * account nor the key has a limit, or nothing is to be held.
   *
   * @throws GatewayError 402 when the amount does not fit, 503 after a second without the database.
   */
  async hold(
    caller: Caller,
    call: CallFacts,
    amount: Units,
    earlier: EarlierHolds = {},
  ): Promise<Hold | undefined> {
    if ((!caller.limited && !caller.spendLimit) || amount === 0n) return undefined;
    if (caller.spendLimit && amount > caller.spendLimit.amount) {
      throw refusal('spend_limit_reached', amount);
    }
    if (amount > MOST_GRANTED) throw refusal('insufficient_credits', amount);
    const entry = this.entryOf(caller, call, amount, earlier);
    const written = this.books.write(entry);
    try {
      await within(PATIENCE_MS, written);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      this.books.noteSilence();
      await this.forget(entry, written);
      throw away(error);
    }
    if (entry.refusal) throw refusal(entry.refusal, amount);
    return { id: entry.hold.id, amount, spendWindow: entry.hold.spend_window };
  }

  /**
   * Releases what is set aside after all, as nobody waits for it any more; also when the process ends before
   * that: else the next one would take it for a call that was made.
   */
  private async forget(entry: HoldEntry, written: Promise<void>): Promise<void> {
    const release = releaseOf(entry.hold, entry.budgetId);
    const released = written.then(
      () => (entry.refusal ? undefined : this.books.write(release)),
      () => undefined,
    );
    await this.outbox.keep(release, released).catch(() => undefined);
  }

  private entryOf(
    { accountId, keyId, budgetId, spendLimit }: Caller,
    call: CallFacts,
    amount: Units,
    { instead = [], beside }: EarlierHolds,
  ): HoldEntry {
    const hold = {
      ...callColumns(call),
      id: beside ? besideOf(beside.id) : risingId(),
      account_id: accountId,
      key_id: keyId,
      process_id: this.processes.id,
      amount_units: amount,
      spend_window: spendLimit && spendWindow(spendLimit.per, Date.now()),
    };
    const limit = spendLimit && spendLimit.amount;
    const ends = instead.map(({ id, spendWindow: spend_window }) =>
      releaseOf({ ...hold, id, spend_window }, budgetId),
    );
    return {
      kind: 'hold',
      hold,
      instead: ends,
      budgetId,
      spendLimit: limit,
      tried: false,
      refusal: undefined,
    };
  }
}

/** With what the record of the refusal takes, less than the second within which callers are told. */
const PATIENCE_MS = 900;

function refusal(
  code: 'insufficient_credits' | 'spend_limit_reached',
  amount: Units,
): GatewayError {
  const most = `This call may cost up to ${usdDecimal(amount)} USD, which is more than`;
  return new GatewayError(
    402,
    code,
    code === 'insufficient_credits'
      ? `${most} the account's credits.`
      : `${most} what is left of the key's spend limit.`,
  );
}
