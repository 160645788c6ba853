import { priceOf } from '../../src/billing/price.js';
import { type Endpoint, type Format } from '../../src/contract/endpoint.js';
import { type ImageKind } from '../../src/contract/images.js';
import { type Model, type Pricing } from '../../src/contract/model.js';
import { unitsOfUsd, usdDecimal } from '../../src/contract/money.js';
import { type Usage } from '../../src/contract/usage.js';
import { framed, serverEvents } from '../../src/dispatch/server-events.js';
import { EVERY_CONVERSATION, priceList } from '../../src/models/prices.js';
import { anthropicRelay } from '../../src/providers/dialects/anthropic/anthropic-relay.js';
import { PROVIDERS } from '../../src/providers/providers.js';
import {
  type CallContext,
  type Codec,
  type Framing,
  type ProviderConnection,
  type Relay,
  type RelayContext,
  type StreamTap,
  type Target,
  type UpstreamReply,
} from '../../src/providers/provider.js';
import { conversationWay } from '../../src/providers/serves.js';
import { frames } from '../../src/upstream/frames.js';
import { Secrets } from '../../src/upstream/secrets.js';
import { awsEvent } from './aws-frames.js';

/** How a vector is asked for, where it is not a caller of Messages at the list price. */
export interface Asked {
  /** The caller's format. */
  readonly format?: Format;
  /** More fields of the caller's body. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Instead of the list price. */
  readonly pricing?: Pricing;
}

/** What stands for a price when the provider told no usage: the gateway counts by itself. */
export const NOT_TOLD = 'not told';

const prices = priceList(new Date('2026-11-20T12:00:00Z'));

/** As the catalogue joins them. */
function listed(provider: string, name: string, endpoint: Endpoint): Pricing | undefined {
  const own = prices(provider, name);
  return own && { ...(endpoint === 'messages' && prices(provider, EVERY_CONVERSATION)), ...own };
}

/** USD for a million tokens, as a rate. */
export function perMillion(usd: number) {
  return unitsOfUsd(usd) / 1_000_000n;
}

/** What a provider's whole answer to a conversation costs, as a decimal of USD. */
export function costOf(id: string, answer: unknown, asked: Asked = {}): string {
  const call = callTo(id, 'messages', asked);
  const { way } = call;
  return 'relay' in way
    ? relayed(way.relay, answer, call)
    : decoded(way.codec, [answer], call as unknown as Made<'messages'>);
}

/** What a provider's answer about images or embeddings costs; several where a call was split. */
export function costOfOther(
  endpoint: 'embeddings' | 'images' | 'image-edits',
  id: string,
  answers: readonly unknown[],
  asked: Asked = {},
): string {
  const call = callTo(id, endpoint, asked);
  const dialect = call.target.connection.provider.endpoints[endpoint]?.[0];
  if (dialect?.relay && answers.length === 1) return relayed(dialect.relay, answers[0], call);
  const codec = dialect?.codec as Codec<'embeddings'> | undefined;
  if (!codec) throw new Error(`${id} does not serve ${endpoint}`);
  return decoded(codec, answers, call as unknown as Made<'embeddings'>);
}

/**
 * What a provider's stream costs. An event is an object: as it is for OpenAI and Google, named by
 * its `type` for Anthropic and Cohere, by its only member for Converse.
 */
export async function costOfStream(
  id: string,
  events: readonly object[],
  asked: Asked = {},
): Promise<string> {
  const call = callTo(id, 'messages', { ...asked, body: { stream: true, ...asked.body } });
  const { way, relayContext, callContext, pricing } = call;
  let tap: StreamTap | undefined;
  let framing: Framing;
  if ('relay' in way) {
    framing = way.relay.request(relayContext).framing ?? 'sse';
    tap = way.relay.stream?.(relayContext);
  } else {
    framing = way.codec.encode(callContext as CallContext<'messages'>)[0]!.framing;
    tap = anthropicRelay.stream?.(relayContext);
  }
  if (!tap) throw new Error(`${id} does not stream`);
  const batches = frames(framing, pieces(bytesOf(framing, events)));
  const secrets = new Secrets(call.target.connection);
  const read =
    'relay' in way
      ? batches
      : framed(
          way.codec.decodeStream!(
            serverEvents(batches, secrets),
            callContext as CallContext<'messages'>,
          ),
          { provider: call.target.model.provider, requestId: 'req_1' },
        );
  for await (const batch of read) for (const event of batch) tap.take(event);
  if (tap.state === 'failed') throw new Error(tap.error?.message);
  return tap.isFinal ? priced(pricing, tap.usage) : NOT_TOLD;
}

/** One event of a stream as server-sent bytes. */
export function sse(event: object): string {
  const { type } = event as { type?: unknown };
  const name = typeof type === 'string' ? `event: ${type}\n` : '';
  return `${name}data: ${JSON.stringify(event)}\n\n`;
}

type Way = { relay: Relay } | { codec: Codec<'messages'> };

interface Made<E extends Endpoint> {
  readonly target: Target;
  readonly way: Way;
  readonly pricing: Pricing;
  readonly relayContext: RelayContext;
  readonly callContext: CallContext<E>;
}

function callTo(id: string, endpoint: Endpoint, asked: Asked): Made<Endpoint> {
  const [provider] = PROVIDERS.filter(({ name }) => id.startsWith(`${name}/`));
  if (!provider) throw new Error(`nobody serves ${id}`);
  const name = id.slice(provider.name.length + 1);
  const pricing = asked.pricing ?? listed(provider.name, name, endpoint);
  if (!pricing) throw new Error(`${id} has no price`);
  const spec = provider.models.find((model) => model.name === name);
  const model: Model = {
    ...{ name, endpoints: [endpoint], created: 0, capabilities: {} },
    ...spec,
    ...{ id, provider: provider.name, pricing, listed: true },
  };
  const place = { project: 'project', region: 'us-east-1', path: '' };
  const connection: ProviderConnection = {
    ...{ provider, baseUrl: new URL('https://provider.test'), apiKey: 'key', place },
  };
  const target = { model, connection };
  const messages = [{ role: 'user' as const, content: 'Hello' }];
  const body = { model: id, max_tokens: 1000, messages, input: 'Hello', ...asked.body };
  const shared = { model, place, headers: {}, stream: asked.body?.stream === true, created: 1 };
  const way = endpoint === 'messages' && conversationWay(target, asked.format ?? 'anthropic', body);
  if (endpoint === 'messages' && !way) throw new Error(`${id} does not converse`);
  return {
    target,
    pricing,
    way: way as Way,
    relayContext: { ...shared, body },
    callContext: { ...shared, request: body as never, inputEstimate: 1, id: 'req_1' },
  };
}

function relayed(relay: Relay, answer: unknown, call: Made<Endpoint>): string {
  const reply = relay.reply(bytesOfAnswer(answer), call.relayContext);
  if (!reply || reply.error) throw new Error('not an answer');
  return priced(call.pricing, reply.usage, reply.image);
}

function decoded<E extends Endpoint>(
  codec: Codec<E>,
  answers: readonly unknown[],
  call: Made<E>,
): string {
  const replies = answers.map((answer): UpstreamReply => {
    const bytes = bytesOfAnswer(answer);
    return { status: 200, headers: {}, bytes, json: () => JSON.parse(bytes.toString()) };
  });
  const { usage, image, charged } = codec.decode(replies, call.callContext);
  if (call.pricing.isReported && charged !== undefined) return usdDecimal(charged);
  return priced(call.pricing, usage, image);
}

function priced(pricing: Pricing, usage: Usage | undefined, image?: ImageKind): string {
  return usage ? usdDecimal(priceOf(pricing, usage, image)) : NOT_TOLD;
}

function bytesOfAnswer(answer: unknown): Buffer {
  return Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer));
}

function bytesOf(framing: Framing, events: readonly object[]): Buffer {
  if (framing === 'aws-event-stream') return Buffer.concat(events.map(awsMessage));
  const isOpenai = events.some((event) => 'choices' in event);
  return Buffer.from(events.map(sse).join('') + (isOpenai ? 'data: [DONE]\n\n' : ''));
}

/** Pieces that cut events anywhere. */
async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 61) {
    yield await Promise.resolve(bytes.subarray(at, at + 61));
  }
}

/** Claude's own events come inside of `chunk` events. */
function awsMessage(event: object): Buffer {
  const [[name, payload] = ['', {}]] = Object.entries(event) as [string, unknown][];
  if (!('type' in event)) return awsEvent(name, payload);
  return awsEvent('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') });
}
