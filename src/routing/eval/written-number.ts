import { type YamlValue } from '../../models/yaml-value.js';
import { decimalFromText } from '../../validation/lax-coercion.js';

/** The number that stands there, as such or as a text; undefined for anything else. */
export function numberAt({ written }: YamlValue): number | undefined {
  return typeof written === 'string' ? decimalFromText(written) : plainNumber(written);
}

/** The share that stands there; 0 for anything else, which is noted. */
export function shareAt(value: YamlValue): number {
  const number = numberAt(value);
  if (number !== undefined && number >= 0 && number <= 1) return number;
  value.problem(`must be a number from 0 to 1${found(value)}`);
  return 0;
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
