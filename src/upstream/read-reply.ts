import { GatewayError } from '../contract/gateway-error.js';
import { type UpstreamReply } from '../providers/provider.js';
import { type IncomingAnswer } from '../providers/transport.js';

/** Longer answers are cut off: ten large images fit, an endless body does not. */
const LONGEST_REPLY_BYTES = 96 * 1024 * 1024;

/**
 * Reads an answer to its end.
 *
 * @throws GatewayError 502 when it is longer than any real one, and what reading throws.
 */
export async function readReply({ status, headers, body }: IncomingAnswer): Promise<UpstreamReply> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > LONGEST_REPLY_BYTES) {
      throw new GatewayError(
        502,
        'upstream_error',
        'The provider sent an answer that is too long.',
      );
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  const bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks, length);
  // Parsed once, however many ask.
  let parsed: { readonly value: unknown } | undefined;
  const json = (): unknown => (parsed ??= { value: JSON.parse(bytes.toString()) }).value;
  return { status, headers, bytes, json };
}
