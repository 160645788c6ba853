import { parsedJson } from '../../json/values.js';
import { type ServerEvent } from '../provider.js';

/** Whether an event begins as JSON, so that it is no noise, and does not end as JSON: it was cut. */
export function isBroken({ data }: ServerEvent): boolean {
  return /^\s*\{/.test(data) && parsedJson(data) === undefined;
}
