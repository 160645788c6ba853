/**
 * How pydantic v2 reads numbers and booleans out of strings in its lax mode, which the Messages API
 * is specified with. https://docs.pydantic.dev/latest/concepts/conversion_table/
 */

const SPACE_AROUND = /^\p{White_Space}+|\p{White_Space}+$/gu;
const INTEGER = /^([+-]?)(?:0[0_]*(?=\d))?(\d+(?:_\d+)*)(?:\.0+)?$/;
const GROUPED = /^[^_]+(?:_[^_]+)+$/;
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const NOT_A_NUMBER = /^[+-]?nan$/i;
const INFINITE = /^([+-]?)inf(?:inity)?$/i;
/** Longer than any number is written; it bounds the work on hostile text. */
const LONGEST_NUMBER = 1000;
const LONGEST_BOOLEAN = 5;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 't', 'yes', 'y', 'on'].map((word) => [word, true] as const),
  ...['0', 'false', 'f', 'no', 'n', 'off'].map((word) => [word, false] as const),
]);

/** The whole number that `text` stands for, such as 1000 for `" +1_000.0 "`. */
export function integerFromText(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER) return undefined;
  const match = INTEGER.exec(text.replace(SPACE_AROUND, ''));
  return match ? Number(`${match[1] ?? ''}${(match[2] ?? '').replaceAll('_', '')}`) : undefined;
}

/** The number that `text` stands for; the infinities and NaN are among them. */
export function decimalFromText(text: string): number | undefined {
  if (text.length > LONGEST_NUMBER) return undefined;
  // Underscores between digits and spaces around them are each fine, but not together.
  const plain = GROUPED.test(text) ? text.replaceAll('_', '') : text.replace(SPACE_AROUND, '');
  if (DECIMAL.test(plain)) return Number(plain);
  if (NOT_A_NUMBER.test(plain)) return NaN;
  const infinite = INFINITE.exec(plain);
  return infinite ? Number(`${infinite[1] ?? ''}Infinity`) : undefined;
}

/** What `yes`, `off`, `T` and their like mean; spaces around them are not forgiven. */
export function booleanFromText(text: string): boolean | undefined {
  return text.length > LONGEST_BOOLEAN ? undefined : BOOLEANS.get(text.toLowerCase());
}
