import { GatewayError } from '../contract/gateway-error.js';
import { type Fields, isObject } from '../json/values.js';

/** An object and where it stands in the request, such as `messages[0].content[1]`. */
export interface Placed {
  readonly fields: Fields;
  readonly at: string;
}

/** @throws GatewayError 400 when the value is no object. */
export function placed(value: unknown, at: string): Placed {
  if (isObject(value)) return { fields: value, at };
  throw invalid(at, 'must be an object.');
}

/** The object that a field holds. @throws GatewayError 400 when it holds none. */
export function objectIn({ fields, at }: Placed, name: string): Placed {
  return placed(fields[name], `${at}.${name}`);
}

/** The text that a field holds. @throws GatewayError 400 when it holds none. */
export function textIn({ fields, at }: Placed, name: string): string {
  const value = fields[name];
  if (typeof value === 'string') return value;
  throw invalid(`${at}.${name}`, 'must be a string.');
}

/** The objects of a list; none where there is no list. @throws GatewayError 400 for another value. */
export function objectsIn({ fields, at }: Placed, name: string): Placed[] {
  return objects(fields[name], at === '' ? name : `${at}.${name}`);
}

/** The objects of a list; none for null. @throws GatewayError 400 for another value. */
export function objects(value: unknown, at: string): Placed[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(at, 'must be a list.');
  return value.map((item, index) => placed(item, `${at}[${index}]`));
}

/** The refusal of a value that says nothing. */
export function invalid(param: string, reason: string): GatewayError {
  return refusal('invalid_value', param, reason);
}

/** The refusal of what only some providers can do; another model may be able to. */
export function unsupported(param: string, reason: string): GatewayError {
  return refusal('unsupported_parameter', param, reason);
}

function refusal(
  code: 'invalid_value' | 'unsupported_parameter',
  param: string,
  reason: string,
): GatewayError {
  const upstream = { status: 0 };
  return new GatewayError(400, code, `${param}: ${reason}`, { param, upstream });
}
