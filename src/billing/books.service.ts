import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service.js';
import { type GroupCommit } from '../database/group-commit.js';
import { lockAccounts } from './changes.js';
import { type Entry, type HoldEntry, type SettlementEntry } from './entries.js';
import { settle, takeBack } from './settle.js';
import { takeHolds } from './take-holds.js';

/** Writes holds and settlements; what comes at the same time shares a transaction. */
@Injectable()
export class Books {
  private readonly entries: GroupCommit<Entry>;

  constructor(database: Database) {
    this.entries = database.grouped((entries) => async (transaction) => {
      const settlements = entries.filter(isSettlement);
      const holds = await takeBack(
        transaction,
        settlements.flatMap(({ holdId }) => holdId ?? []),
      );
      await lockAccounts(transaction, entries.flatMap(changedAccount));
      // What calls give back is there for those that begin.
      await settle(transaction, settlements, holds);
      await takeHolds(transaction, entries.filter(isHold));
    });
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

function isHold(entry: Entry): entry is HoldEntry {
  return entry.kind === 'hold';
}

function isSettlement(entry: Entry): entry is SettlementEntry {
  return entry.kind === 'settlement';
}
