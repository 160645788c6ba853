import { GatewayError } from '../../contract/gateway-error.js';
import { type NeutralBlock, type NeutralTurn } from '../../contract/neutral.js';
import { isObject } from '../../json/values.js';

/** A block and where it stands in the request, such as `messages[0].content[1]`. */
export interface Placed {
  readonly block: NeutralBlock;
  readonly at: string;
}

/** The blocks of a content, which may be a plain string. @throws GatewayError 400 for what is neither. */
export function placed(content: NeutralTurn['content'], at: string): Placed[] {
  if (typeof content === 'string') return [{ block: { type: 'text', text: content }, at }];
  if (!Array.isArray(content)) throw untranslatable(at, 'must be text or a list of blocks.');
  // Lists inside tool results are not checked at the edge and may hold anything.
  const blocks = content as readonly (NeutralBlock | null)[];
  return blocks.map((block, index) => ({
    block: block ?? { type: 'null' },
    at: `${at}[${index}]`,
  }));
}

/** The blocks that a field holds, as text or as a list. @throws GatewayError 400 when it holds neither. */
export function placedOf({ block, at }: Placed, field: string): Placed[] {
  return placed(block[field] as NeutralTurn['content'], `${at}.${field}`);
}

/** The same of a field that may be left out, as a tool's result may. */
export function nested(place: Placed, field: string): Placed[] {
  return (place.block[field] ?? null) === null ? [] : placedOf(place, field);
}

/** @throws GatewayError 400 when the field is no string. */
export function stringOf({ block, at }: Placed, field: string): string {
  const value = block[field];
  if (typeof value === 'string') return value;
  throw untranslatable(`${at}.${field}`, 'must be a string.');
}

/** @throws GatewayError 400 when the field is no object. */
export function objectOf({ block, at }: Placed, field: string): Placed {
  const value = block[field];
  if (isObject(value)) return { block: value as NeutralBlock, at: `${at}.${field}` };
  throw untranslatable(`${at}.${field}`, 'must be an object.');
}

/** The refusal of a block that this format has no words for, or that does not say its type. */
export function unknownType(place: Placed): GatewayError {
  const type = stringOf(place, 'type');
  return untranslatable(`${place.at}.type`, `'${type}' has no counterpart for this model here.`);
}

/** The refusal of a request that cannot be said in this format; a fallback's may be able to. */
export function untranslatable(param: string, reason: string, details?: object): GatewayError {
  const upstream = { status: 0, ...(details && { details }) };
  return new GatewayError(400, 'invalid_request', `${param}: ${reason}`, { param, upstream });
}
