import { type Format } from '../contract/endpoint.js';
import { type Codec, type Provider, type Relay } from './provider.js';

/**
 * How a provider holds a conversation in the caller's format: by relay where it speaks the same,
 * by translation where it has a codec. Translation leads to the neutral shape, which is the Messages
 * API's own. Undefined when it can do neither.
 */
export function conversation(
  provider: Provider,
  format: Format,
): { relay: Relay } | { codec: Codec<'messages'> } | undefined {
  const dialects = provider.endpoints.messages ?? [];
  const relay = dialects.find((dialect) => dialect.format === format && dialect.relay)?.relay;
  if (relay) return { relay };
  const codec = format === 'anthropic' ? dialects.find(({ codec }) => codec)?.codec : undefined;
  return codec && { codec };
}
