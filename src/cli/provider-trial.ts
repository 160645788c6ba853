import { type Endpoint } from '../contract/endpoint.js';
import { type Model } from '../contract/model.js';
import { spliceObject } from '../json/splice.js';
import {
  type CallContext,
  type Codec,
  type Relay,
  type RelayContext,
  type Target,
  type UpstreamCall,
  type UpstreamReply,
} from '../providers/provider.js';
import { conversationWay } from '../providers/serves.js';

/** A small real call to a model, as the gateway itself would make it. */
export interface Trial {
  readonly call: UpstreamCall;
  /** Whether the reply is what the provider's format promises. Never throws. */
  readonly isUnderstood: (reply: UpstreamReply) => boolean;
}

/** The models of a provider that a small call can be made to, the cheapest first. */
export function trialModels(models: readonly Model[]): readonly Model[] {
  // Another name of a model would fail as the model does.
  const own = models.filter(({ aliasOf }) => aliasOf === undefined);
  const chat = own.filter(({ endpoints }) => endpoints.includes('messages'));
  const vectors = own.filter(({ endpoints }) => endpoints.includes('embeddings'));
  const usable = chat.length > 0 ? chat : vectors;
  return usable.toSorted((one, other) => Number(priceOf(one) - priceOf(other)));
}

/** The call to a model; undefined where it can be reached by no format that the gateway speaks. */
export function trialOf(target: Target): Trial | undefined {
  const { model, connection } = target;
  if (model.endpoints.includes('messages')) {
    const body = { model: model.id, max_tokens: FEW_TOKENS, messages: GREETING };
    const way = conversationWay(target, 'anthropic', body);
    if (!way) return undefined;
    if ('relay' in way) return relayed(way.relay, target, body);
    return translated(way.codec, contextOf<'messages'>(target, body));
  }
  const [dialect] = connection.provider.endpoints.embeddings ?? [];
  const body = { model: model.id, input: 'Hi' };
  if (dialect?.codec) return translated(dialect.codec, contextOf<'embeddings'>(target, body));
  return dialect?.relay && relayed(dialect.relay, target, body);
}

/** Fewer are refused by some. */
const FEW_TOKENS = 16;
const GREETING = [{ role: 'user' as const, content: 'Hi' }];

function priceOf({ pricing }: Model): bigint {
  const { inputPerToken = 0n, outputPerToken = 0n, perRequest = 0n } = pricing;
  return perRequest + BigInt(FEW_TOKENS) * (inputPerToken + outputPerToken);
}

function relayed(relay: Relay, { model, connection }: Target, body: object): Trial | undefined {
  const context: RelayContext = {
    model,
    place: connection.place,
    headers: {},
    stream: false,
    body: body as Readonly<Record<string, unknown>>,
    created: now(),
  };
  const { path, headers, edits } = relay.request(context);
  const bytes = spliceObject(Buffer.from(JSON.stringify(body)), edits);
  if (!bytes) return undefined;
  return {
    call: { path, headers, body: { bytes }, framing: 'none' },
    isUnderstood: understood(({ bytes: reply }) => {
      const read = relay.reply(reply, context);
      return read !== undefined && read.error === undefined;
    }),
  };
}

function translated<E extends Endpoint>(
  codec: Codec<E>,
  context: CallContext<E>,
): Trial | undefined {
  const [call] = codec.encode(context);
  const decodes = understood((reply) => Boolean(codec.decode([reply], context).result));
  return call && { call, isUnderstood: decodes };
}

function contextOf<E extends Endpoint>(
  { model, connection }: Target,
  request: CallContext<E>['request'],
): CallContext<E> {
  return {
    request,
    model,
    place: connection.place,
    headers: {},
    stream: false,
    inputEstimate: 1,
    id: 'doctor',
    created: now(),
  };
}

function understood(reads: (reply: UpstreamReply) => boolean) {
  return (reply: UpstreamReply): boolean => {
    try {
      return reads(reply);
    } catch {
      return false;
    }
  };
}

function now(): number {
  return Math.floor(Date.now() / 1_000);
}
