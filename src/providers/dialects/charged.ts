import { type Units, unitsOfUsd } from '../../contract/money.js';

/**
 * What the answers to a call say that it costs, where each of them says it.
 *
 * @param amounts as they came, in parts of a USD such as cents.
 * @param parts how many of them are a USD.
 * @returns undefined where one of them is no amount that a call may cost; 0 is none, as nobody works
 *   for nothing.
 */
export function charged(amounts: readonly unknown[], parts: bigint): Units | undefined {
  const most = MOST_USD * Number(parts);
  const told = amounts.filter(
    (amount): amount is number => typeof amount === 'number' && amount > 0 && amount <= most,
  );
  if (told.length === 0 || told.length < amounts.length) return undefined;
  return told.reduce((sum, amount) => sum + unitsOfUsd(amount) / parts, 0n);
}

/** More than any call costs: what is above it is a mistake. */
const MOST_USD = 1_000;
