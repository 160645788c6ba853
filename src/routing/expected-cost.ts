import { ratesFor } from '../billing/price.js';
import { type Pricing } from '../contract/model.js';
import { UNITS_PER_USD } from '../contract/money.js';

/**
 * What a request is likely to cost, in USD. An estimate for comparing models, so a plain number; what
 * is charged is counted exactly elsewhere.
 */
export function expectedCost(
  pricing: Pricing,
  { input, output }: { readonly input: number; readonly output: number },
): number {
  const rates = ratesFor(pricing, input);
  const units =
    input * Number(rates.inputPerToken ?? 0n) +
    output * Number(rates.outputPerToken ?? 0n) +
    Number(rates.perRequest ?? 0n);
  return units / Number(UNITS_PER_USD);
}
