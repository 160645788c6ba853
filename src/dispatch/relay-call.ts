import { GatewayError } from '../contract/gateway-error.js';
import { spliceObject } from '../json/splice.js';
import { type Relay, type Target, type UpstreamCall } from '../providers/provider.js';
import { type Call, relayContext } from './call.js';

/** The upstream call of a relayed request: the caller's own bytes with the edits in them. */
export function relayCall(
  call: Call,
  target: Target,
  relay: Relay,
  { stream }: { stream: boolean },
): UpstreamCall {
  const { path, headers, edits, framing = 'sse' } = relay.request(relayContext(call, target));
  const bytes = spliceObject(call.body.bytes, new Map([...call.body.edits, ...edits]));
  if (!bytes) throw new GatewayError(400, 'invalid_json', 'The body is not a JSON object.');
  return { path, headers, body: { bytes }, framing: stream ? framing : 'none' };
}
