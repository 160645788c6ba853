import { type Transaction } from 'kysely';
import { type SpendLimit } from '../contract/caller.js';
import { type Tables } from '../database/tables.js';

/** The window of a spend limit that a moment lies in, in UTC; a week begins on Monday. */
export function spendWindow(per: SpendLimit['per'], moment: number): string {
  if (per === 'total') return 'total';
  const date = new Date(moment);
  if (per === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return `${per}:${date.toISOString().slice(0, per === 'month' ? 7 : 10)}`;
}

/** When the window of a spend limit began that a moment lies in, in milliseconds; 0 for `total`. */
export function spendWindowStart(per: SpendLimit['per'], moment: number): number {
  const [, day = ''] = spendWindow(per, moment).split(':');
  return per === 'total' ? 0 : Date.parse(day);
}

/** Deletes what keys have spent in windows that were over a week ago, where nothing is held. */
export async function forgetSpendWindows(
  transaction: Transaction<Tables>,
  now: number,
): Promise<void> {
  for (const per of ['day', 'week', 'month'] as const) {
    await transaction
      .deleteFrom('key_spend')
      .where('spend_window', 'like', `${per}:%`)
      .where('spend_window', '<', spendWindow(per, now - KEPT_MS))
      .where('held_units', '=', 0n)
      .execute();
  }
}

const KEPT_MS = 7 * 86_400_000;
