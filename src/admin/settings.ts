import { parseRateLimit } from '../config/read-config.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Units, unitsOfUsd, usdNumber } from '../contract/money.js';
import { momentOf } from '../http/moment.js';
import { invalidValue } from '../http/parameter-error.js';

/** Fields that a PATCH may name; a field that is null takes the setting away. */
export type Changes<T> = { readonly [K in keyof T]?: T[K] | null };

/** What a PATCH names. The check of a body takes nulls out of it, and notes that it did. */
export function changesIn<T extends object>({ value, edits }: CheckedBody<T>): Changes<T> {
  const emptied = [...edits].filter(([, text]) => text === undefined).map(([name]) => name);
  return { ...value, ...Object.fromEntries(emptied.map((name) => [name, null])) };
}

/** @throws GatewayError 400 for an amount finer than 10^-12 USD. */
export function exactUnits(usd: number, param: string): Units {
  const units = unitsOfUsd(usd);
  if (usdNumber(units) === usd) return units;
  throw invalidValue(param, 'expected at most 12 decimals');
}

/** @throws GatewayError 400 for what is no rate limit. */
export function checkedRateLimit(text: string): string {
  if (parseRateLimit(text)) return text.trim();
  throw invalidValue('rate_limit', 'expected a limit such as 100/s, 600/m or 5000/h');
}

/** @throws GatewayError 400 for what is no code of a region. */
export function checkedRegion(code: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,31}$/i.test(code)) return code.toLowerCase();
  throw invalidValue('region', 'expected a region code such as eu or us');
}

/** Unix milliseconds. @throws GatewayError 400 for what is no moment, or one that is past. */
export function checkedExpiry(value: string | number): number {
  const moment = momentOf(value);
  if (moment === undefined) throw invalidValue('expires_at', 'expected a date in ISO 8601');
  if (moment > Date.now()) return moment;
  throw invalidValue('expires_at', 'expected a date in the future');
}

/** An id of our own, or what can be none: then there is nothing by it. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/** The 404 for an id that stands for nothing. */
export function missing(kind: string, id: string): GatewayError {
  return new GatewayError(404, 'not_found', `There is no ${kind} '${id.slice(0, 64)}'.`);
}
