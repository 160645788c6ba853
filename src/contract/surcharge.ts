/**
 * What Anthropic charges for tokens beyond the list, in percent: twice the price for a faster answer
 * (`speed: "fast"`), a tenth more for one made in the United States alone (`inference_geo: "us"`), and
 * both on one another. It says so in the usage as the caller does in the request.
 * https://platform.claude.com/docs/en/build-with-claude/fast-mode,
 * https://platform.claude.com/docs/en/manage-claude/data-residency
 */
export function surchargePercent({ speed, inference_geo: place }: Surcharged): number {
  const [fast, domestic] = [speed === 'fast', place === 'us'];
  if (fast && domestic) return 120;
  if (fast) return 100;
  return domestic ? 10 : 0;
}

interface Surcharged {
  readonly speed?: unknown;
  readonly inference_geo?: unknown;
}

/** A price with a surcharge on it, rounded up. */
export function withSurcharge(price: bigint, percent: number): bigint {
  return percent === 0 ? price : (price * BigInt(100 + percent) + 99n) / 100n;
}
