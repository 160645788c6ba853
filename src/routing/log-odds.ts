/** Shares nearer to 0 or 1 than this are not told apart; nobody is always right. */
const LEAST_SHARE = 0.005;

/** A share as the logarithm of its odds, a scale on which differences between models add up. */
export function logOdds(share: number): number {
  const bounded = Math.min(1 - LEAST_SHARE, Math.max(LEAST_SHARE, share));
  return Math.log(bounded / (1 - bounded));
}

/** The share, 0 to 1, of these odds. */
export function shareOf(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}
