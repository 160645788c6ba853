import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { type GroupCommit } from '../database/group-commit.js';
import { lockAccounts } from './changes.js';
import { type Entry, type HoldEntry, type SettlementEntry } from './entries.js';
import { type HeldAmount } from './rows.js';
import { settle, takeBack } from './settle.js';
import { takeHolds } from './take-holds.js';

/** Writes holds and settlements; what comes at the same time shares a transaction. */
@Injectable()
export class Books {
  private readonly entries: GroupCommit<Entry>;

  constructor(private readonly database: Database) {
    this.entries = database.grouped((entries) => async (transaction) => {
      const wanted = entries.filter(isHold);
      // The last word on a call comes before the end of one of its attempts, should they meet.
      const ends = wanted.flatMap(({ instead }) => instead);
      const settlements = [...entries.filter(isSettlement), ...ends];
      const holds = await takeBack(
        transaction,
        settlements.flatMap(({ holdId }) => holdId ?? []),
      );
      await lockAccounts(transaction, entries.flatMap(changedAccount));
      // What calls give back is there for those that begin.
      await settle(transaction, settlements, holds);
      await takeHolds(transaction, inTurn(wanted, holds));
    });
  }

  /** Whether the database did not answer when it was asked last. */
  get areAway(): boolean {
    return this.database.life.isLost;
  }

  /** The database has been waited for in vain. */
  noteSilence(): void {
    this.database.life.lost();
  }

  /**
   * Resolves when the entry is durable; while the database is away it waits in memory.
   *
   * @throws what the database says against this very entry.
   */
  write(entry: Entry): Promise<void> {
    return this.entries.add(entry);
  }
}

/** An account without a limit has nothing to change, but for what a limited key holds. */
function changedAccount(entry: Entry): readonly string[] {
  if (entry.kind === 'hold') return [entry.hold.account_id];
  return entry.limited || entry.holdId !== undefined ? [entry.accountId] : [];
}

/**
 * Holds that take the place of earlier ones come first, and of them those first that grow the least:
 * so what a call gives back goes to its own next try before another call can have it.
 */
function inTurn(
  entries: readonly HoldEntry[],
  released: readonly HeldAmount[],
): readonly HoldEntry[] {
  const amounts = new Map(released.map(({ id, amount_units }) => [id, amount_units]));
  const growth = ({ hold, instead }: HoldEntry): number =>
    instead.length === 0
      ? Infinity
      : Number(
          instead.reduce(
            (more, { holdId = '' }) => more - (amounts.get(holdId) ?? 0n),
            hold.amount_units,
          ),
        );
  const turns = new Map(entries.map((entry) => [entry, growth(entry)]));
  return entries.toSorted((one, other) => {
    const [first = 0, second = 0] = [turns.get(one), turns.get(other)];
    return first === second ? 0 : first - second;
  });
}

function isHold(entry: Entry): entry is HoldEntry {
  return entry.kind === 'hold';
}

function isSettlement(entry: Entry): entry is SettlementEntry {
  return entry.kind === 'settlement';
}
