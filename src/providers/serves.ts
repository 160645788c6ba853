import { type Format } from '../contract/endpoint.js';
import { type GatewayError } from '../contract/gateway-error.js';
import { helpersIn } from '../contract/helper.js';
import { untranslatable } from './dialects/placed-blocks.js';
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

/**
 * The refusal of a request that has its model use another one by a tool, where there is none of that name:
 * nobody would know whether the caller may use it, and at what price.
 *
 * @param format in which the provider is spoken to.
 */
export function helperMissing(format: Format, body: object): GatewayError {
  const tool = helpersIn(body).find((one) => one.format === format);
  return untranslatable(tool?.param ?? 'tools', 'there is no such model for this one.');
}
