import { type SpendLimit } from '../contract/caller.js';

/** The window of a spend limit that a moment lies in, in UTC; a week begins on Monday. */
export function spendWindow(per: SpendLimit['per'], moment: number): string {
  if (per === 'total') return 'total';
  const date = new Date(moment);
  if (per === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return `${per}:${date.toISOString().slice(0, per === 'month' ? 7 : 10)}`;
}
