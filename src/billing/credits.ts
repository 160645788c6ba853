import { type Selectable } from 'kysely';
import { usdNumber } from '../contract/money.js';
import { type AccountsTable } from '../database/tables.js';
import { type HolderCredits } from './dto/holder.dto.js';

type Credits = Pick<
  Selectable<AccountsTable>,
  'limited' | 'balance_units' | 'held_units' | 'spent_units'
>;

/** An account's money in USD; null where it may spend without limit. */
export function creditsOf(row: Credits): HolderCredits | null {
  if (row.limited !== 1) return null;
  return {
    balance: usdNumber(row.balance_units),
    held: usdNumber(row.held_units),
    spent: usdNumber(row.spent_units),
  };
}
