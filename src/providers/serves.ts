import { type Format } from '../contract/endpoint.js';
import { type GatewayError } from '../contract/gateway-error.js';
import { helpersIn } from '../contract/helper.js';
import { membersOf } from '../json/values.js';
import { untranslatable } from './dialects/placed-blocks.js';
import { isSubstitute } from './dialects/substitute-model.js';
import { type Codec, type Relay, type Target } from './provider.js';

/**
 * How a model holds a conversation in the caller's format: by relay where its provider speaks the
 * same, by translation where it has a codec, and the format that the provider is spoken to in.
 * Translation leads to the neutral shape, which is the Messages API's own. Undefined when it can do
 * neither.
 *
 * @param body the caller's own, in whichever format.
 */
export function conversationWay(
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
 * A request without what would set the price of a model's tokens and does not reach it: a translation leaves
 * out a tier of service, but for a chat's in OpenAI's Responses, and only Anthropic's format has an answer made
 * in one country, or a faster one, which a model that the caller did not name is not asked for. The same object
 * where all of it does.
 *
 * @param format of a conversation's caller; undefined for what is none, which all goes on.
 */
export function pricedAs<T extends object>(target: Target, format: Format | undefined, body: T): T {
  const named = PRICE_TERMS.filter((name) => Object.hasOwn(body, name));
  const way = named.length > 0 && format ? conversationWay(target, format, body) : undefined;
  if (!way) return body;
  const reaches: Record<(typeof PRICE_TERMS)[number], boolean> = {
    service_tier: 'relay' in way || (format === 'openai' && way.format === 'responses'),
    inference_geo: way.format === 'anthropic',
    speed: way.format === 'anthropic' && !isSubstitute(membersOf(body).model, target.model),
  };
  const lost = named.filter((name) => !reaches[name]);
  if (lost.length === 0) return body;
  return { ...body, ...Object.fromEntries(lost.map((name) => [name, undefined])) };
}

const PRICE_TERMS = ['service_tier', 'speed', 'inference_geo'] as const;

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
