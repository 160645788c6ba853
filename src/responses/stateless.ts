import { type CheckedBody } from '../contract/checked-body.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type ResponsesBody } from './dto/responses-body.dto.js';

/**
 * The request as one that leaves nothing behind: whoever answers is told not to store it. What needs
 * a stored response is refused, also where the provider could look it up: it would be the
 * provider's only, and the next call may go to another.
 *
 * @throws GatewayError 400 for `store: true`, for `background: true` and for an
 * item that is named by its id only.
 */
export function stateless(sent: CheckedBody<ResponsesBody>): CheckedBody<ResponsesBody> {
  const { value, edits } = sent;
  if (value.store === true) throw unsupported('store', 'leave it out or send false');
  if (value.background === true) throw unsupported('background', 'a response cannot be fetched');
  const items: readonly Record<string, unknown>[] = Array.isArray(value.input) ? value.input : [];
  const referring = items.findIndex(isReference);
  if (referring >= 0) {
    const reason = 'send the item itself, as clients do with `store: false`';
    throw unsupported(`input[${referring}]`, reason);
  }
  return { ...sent, edits: new Map([...edits, ['store', 'false']]) };
}

/** `type` may be left out of a reference. */
function isReference({ type, role, id }: Record<string, unknown>): boolean {
  if (type === 'item_reference') return true;
  return (type ?? null) === null && role === undefined && typeof id === 'string';
}

function unsupported(param: string, reason: string): GatewayError {
  const message = `Unsupported parameter: '${param}': nothing is stored here; ${reason}.`;
  return new GatewayError(400, 'unsupported_parameter', message, { param });
}
