import { type Format } from '../contract/endpoint.js';
import { type Codec, type Relay, type Target } from './provider.js';

/**
 * How a model holds a conversation in the caller's format: by relay where its provider speaks the
 * same, by translation where it has a codec, and the format that the provider is spoken to in.
 * Translation leads to the neutral shape, which is the Messages API's own. Undefined when it can do
 * neither.
 *
 * @param body the caller's own, in whichever format.
 */
export function conversation(
  { model, connection: { provider } }: Target,
  format: Format,
  body: object,
): (({ relay: Relay } | { codec: Codec<'messages'> }) & { format: Format }) | undefined {
  const asked = body as Readonly<Record<string, unknown>>;
  const dialects = (provider.endpoints.messages ?? []).filter(
    ({ serves }) => serves?.(model, asked) ?? true,
  );
  const { relay } =
    dialects.find((one) => {
      return one.format === format && one.relay && (one.relays?.(model, asked) ?? true);
    }) ?? {};
  if (relay) return { relay, format };
  const translated = dialects.find((dialect) => dialect.codec);
  return translated?.codec && { codec: translated.codec, format: translated.format };
}
