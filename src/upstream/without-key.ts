import { type UpstreamReply } from '../providers/provider.js';

/** Shorter texts are no keys, and may stand in any sentence. */
const SHORTEST_KEY = 8;

/**
 * A refusal that does not repeat the key with which the call was made: its words may go on to the
 * caller.
 */
export function withoutKey(reply: UpstreamReply, key: string | undefined): UpstreamReply {
  if (key === undefined || key.length < SHORTEST_KEY || !reply.bytes.includes(key)) return reply;
  const text = reply.bytes.toString().replaceAll(key, '[key]');
  return { ...reply, bytes: Buffer.from(text), json: () => JSON.parse(text) as unknown };
}
