import { type YamlValue } from '../../models/yaml-value.js';
import { decimalFromText } from '../../validation/lax-coercion.js';

/** The number that stands there, as such or as a text; undefined for anything else. */
export function numberAt({ written }: YamlValue): number | undefined {
  return typeof written === 'string' ? decimalFromText(written) : plainNumber(written);
}

/** The share that stands there, of 1 or of 100; 0 for anything else, which is noted. */
export function shareAt(value: YamlValue, whole: Whole): number {
  const number = numberAt(value);
  if (number !== undefined && number >= 0 && number <= whole) return number / whole;
  value.problem(`must be a number from 0 to ${whole}${found(value)}`);
  return 0;
}

/** What all shares of a file are shares of. */
type Whole = 1 | 100;

/** A file of marks, from 0 to 10, is none of percent. */
const LEAST_PERCENT = 10;

/** 100 where the shares can only be percent; a number that is out of place is none of them. */
export function wholeOf(shares: readonly YamlValue[]): Whole {
  const numbers = shares.flatMap((share) => numberAt(share) ?? []);
  const mayBe = numbers.every((number) => number === 0 || number > 1);
  return mayBe && numbers.some((number) => number > LEAST_PERCENT && number <= 100) ? 100 : 1;
}

/** The price that stands there; 0 for anything else, which is noted. */
export function priceAt(value: YamlValue): number {
  const number = numberAt(value);
  if (number !== undefined && number >= 0 && number < Infinity) return number;
  value.problem(`must be a number, 0 or more${found(value)}`);
  return 0;
}

function plainNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** A list or a map is not shown: the line is. */
function found({ written }: YamlValue): string {
  if (typeof written === 'number') return `, and is ${written}`;
  return typeof written === 'object' ? '' : `, and is ${JSON.stringify(written)}`;
}
