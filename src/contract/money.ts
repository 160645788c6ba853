/** Money is whole units of 10^-12 USD, so that a fraction of a nano-dollar a token stays exact. */
export type Units = bigint;

/** Fine enough for a cached token at a fraction of a billionth of a dollar. */
export const UNITS_PER_USD = 1_000_000_000_000n;

const DECIMALS = 12;

/**
 * Units as a plain decimal of USD: `1500000n` gives `"0.0000015"`. Never an exponent, no trailing
 * zeros.
 */
export function usdDecimal(units: Units): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '');
  return sign + digits.slice(0, -DECIMALS) + (fraction ? `.${fraction}` : '');
}

/** Units as the nearest JSON number of USD, free of float dust because it is read from the decimal. */
export function usdNumber(units: Units): number {
  return Number(usdDecimal(units));
}

/**
 * A number of USD as units, read from its shortest decimal so that `0.1` is exactly a tenth.
 *
 * @throws RangeError if the number is not finite; digits beyond 10^-12 USD are rounded half up.
 */
export function unitsOfUsd(usd: number): Units {
  if (!Number.isFinite(usd)) throw new RangeError(`not an amount of money: ${usd}`);
  const [mantissa = '0', exponent = '0'] = usd.toString().split('e');
  const [whole = '0', fraction = ''] = mantissa.replace('-', '').split('.');
  const shift = DECIMALS - fraction.length + Number(exponent);
  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.abs(shift));
  const units = shift >= 0 ? digits * scale : (digits + scale / 2n) / scale;
  return usd < 0 ? -units : units;
}

/** The highest of the prices that there are; 0 for none. */
export function dearest(...prices: readonly (Units | undefined)[]): Units {
  return prices.reduce<Units>(
    (most, price) => (price !== undefined && price > most ? price : most),
    0n,
  );
}
