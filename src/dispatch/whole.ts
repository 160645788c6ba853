import { type Endpoint, type RequestOf, type ResultOf } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Usage } from '../contract/usage.js';
import { LEFT_STATUS } from '../contract/usage-record.js';
import { written } from '../json/written.js';
import { scanObject } from '../json/scan.js';
import { appendMembers, type Members, spliceMembers, type Splices } from '../json/splice.js';
import { bytesSaid } from '../providers/dialects/bytes-said.js';
import {
  type Bill,
  type Codec,
  type Decoded,
  type ProviderError,
  type Relay,
  type Target,
  type UpstreamCall,
  type UpstreamReply,
} from '../providers/provider.js';
import { jsonReply, parsedInSlices, parsedReply, readReply } from '../upstream/read-reply.js';
import { Secrets } from '../upstream/secrets.js';
import { type Ask, type AskedParts } from './asked-parts.js';
import { type Call, callContext, relayContext } from './call.js';
import { callMetadata } from './call-metadata.js';
import { type Exchange } from './exchange.js';
import { isCut } from './hedge.js';
import { finalReply, onceBegun } from './later-answer.js';
import { type Ending, usageOf } from './paid.js';
import { type Split } from './split.js';
import { brokenAnswerOf, failureInside } from './upstream-failure.js';

/** An answer that is complete but for its price. */
export interface Whole {
  readonly ending: Ending;
  /** Puts the price in; never fails, because by then it has been paid. */
  readonly body: (bill: Bill) => readonly Buffer[];
  /** Gives the memory that the body is made of back, when it has been sent. */
  readonly free?: (() => void) | undefined;
}

/** What a codec needs beside the call: the request in its endpoint's shape, and the way back. */
export interface Translation<E extends Endpoint> {
  readonly codec: Codec<E>;
  readonly request: RequestOf<E>;
  /** The answer's body, but for `cost` and `provider`; `usage` is what is paid for. */
  readonly render: (result: ResultOf<E>, usage: Usage) => object;
}

/** A call that is answered whole. */
export interface Job<E extends Endpoint> extends Pick<Translation<E>, 'request' | 'render'> {
  readonly endpoint: E;
  /** False: the caller's own bytes do not say everything, or not as a provider takes it. */
  readonly mayRelay?: boolean;
  readonly split?: Split<E>;
}

/** What a relay sends, and the translation for a reply that it cannot pass on. */
export interface Relaying<E extends Endpoint> {
  readonly relay: Relay;
  readonly upstreamCall: UpstreamCall;
  readonly translation?: Translation<E> | undefined;
}

/** The answer. @throws GatewayError 502 in place of the RangeError of one that nests too deep to be read. */
export async function brokenIfTooDeep(target: Target, whole: Promise<Whole>): Promise<Whole> {
  try {
    return await whole;
  } catch (error) {
    throw error instanceof RangeError ? brokenAnswerOf(target.model.provider) : error;
  }
}

/** Whether the caller's request can be passed on as it is; one that has to be split cannot. */
export function fits<E extends Endpoint>(
  call: Call,
  target: Target,
  relay: Relay,
  translation?: Translation<E>,
): boolean {
  if (relay.fits) return relay.fits(relayContext(call, target));
  if (!translation) return true;
  const { codec, request } = translation;
  return codec.encode(callContext(call, target, request)).length === 1;
}

/**
 * Sends the caller's own bytes and takes the provider's. A reply that the relay cannot pass on as
 * it is, such as vectors in another encoding, is translated where there is a translation.
 */
export async function relayWhole<E extends Endpoint>(
  exchange: Exchange,
  call: Call,
  target: Target,
  { relay, upstreamCall, translation }: Relaying<E>,
): Promise<Whole> {
  const answer = await exchange.open(call, target, upstreamCall);
  const firstByteMs = performance.now() - call.context.receivedAt;
  const reply = await readReply(answer, call.context.holdAnswer);
  const bytes = new Secrets(target.connection).hiddenInAnswer(reply.bytes);
  const parsed = relay.parses ? await parsedInSlices({ ...reply, bytes }) : undefined;
  const read = relay.reply(bytes, relayContext(call, target), parsed);
  if (!read) {
    if (!translation) throw brokenAnswerOf(target.model.provider);
    const replies = [checkedReply(await parsedReply(reply), target, translation.codec)];
    return translateReplies(call, target, translation, replies, firstByteMs);
  }
  if (read.error) throw failureIn(read.error, target, reply);
  const { usageOf: usageIn, splices, text = bytes, members } = read;
  const ending = endingOf(call, { ...read, firstByteMs });
  const made = usageIn && JSON.stringify(usageIn(usageOf(call, target, ending)));
  const edits = new Map([...splices, ...(made === undefined ? [] : [['usage', made] as const])]);
  return { ending, body: pricedBody(call, target, text, edits, members), free: reply.free };
}

/**
 * Sends what the codec has made of the request and decodes what comes back.
 *
 * @param parts the calls, and what earlier tries of the same model have brought.
 */
export async function translateWhole<E extends Endpoint>(
  exchange: Exchange,
  call: Call,
  target: Target,
  translation: Translation<E>,
  parts: AskedParts,
): Promise<Whole> {
  const { codec, request } = translation;
  const context = callContext(call, target, request);
  // Many long ones at once, of which only the numbers are wanted.
  const isOfVectors = call.path === '/embeddings';
  let firstByteMs: number | null = null;
  const ask: Ask = async (upstreamCall, part) => {
    const sent = (): void => {
      part.isSent = true;
      call.sent?.(parts.size);
    };
    try {
      const answer = await exchange.open({ ...call, sent }, target, upstreamCall);
      firstByteMs ??= performance.now() - call.context.receivedAt;
      const reply = await readReply(answer, call.context.holdAnswer);
      const first = await (isOfVectors ? jsonReply(reply) : parsedReply(reply));
      if (codec.next?.(first, context) && !codec.cancel?.(first)) part.begun = first;
      const last = await finalReply(exchange, first, { call, target, codec, context });
      return checkedReply(last, target, codec);
    } catch (error) {
      part.isSent &&= isCut(call, error);
      throw error;
    }
  };
  const replies = await parts.all(ask, call.cut, call.deployment);
  return translateReplies(call, target, translation, replies, firstByteMs);
}

/** The reply. @throws GatewayError for an error dressed as success, also in the place of what was begun. */
function checkedReply<E extends Endpoint>(
  reply: UpstreamReply,
  target: Target,
  codec: Codec<E>,
): UpstreamReply {
  const error = target.connection.provider.decodeError(reply) ?? codec.failure?.(reply);
  if (!error) return reply;
  const failure = failureIn(error, target, reply);
  throw reply.begunBy && failure instanceof GatewayError ? onceBegun(failure) : failure;
}

function failureIn(
  error: ProviderError,
  { connection, model }: Target,
  { headers }: UpstreamReply,
): unknown {
  return new Secrets(connection).hiddenInError(failureInside(model.provider, error, headers));
}

async function translateReplies<E extends Endpoint>(
  call: Call,
  target: Target,
  translation: Translation<E>,
  replies: readonly UpstreamReply[],
  firstByteMs: number | null,
): Promise<Whole> {
  const { render } = translation;
  const { result, ...told } = decoded(call, target, translation, replies);
  const { content, data } = result as { readonly content?: unknown; readonly data?: unknown[] };
  const outputBytes = told.usage ? 0 : bytesSaid(content);
  const ending = endingOf(call, { ...told, outputBytes, images: data?.length, firstByteMs });
  // A provider may have called its own so.
  const rendered = render(result, usageOf(call, target, ending)) as Readonly<
    Record<string, unknown>
  >;
  const { cost, provider, causeway_metadata, ...answer } = rendered;
  const pieces = await written(answer);
  return { ending, body: (bill) => appendMembers(pieces, paidMembers(call, bill)) };
}

/** What the replies say. @throws GatewayError, which may repeat a provider's words. */
function decoded<E extends Endpoint>(
  call: Call,
  target: Target,
  { codec, request }: Translation<E>,
  replies: readonly UpstreamReply[],
): Decoded<E> {
  try {
    return codec.decode(replies, callContext(call, target, request));
  } catch (error) {
    throw new Secrets(target.connection).hiddenInError(error);
  }
}

/** How a call ended that is answered; its caller may have left by now. */
function endingOf({ context }: Call, told: Omit<Ending, 'outcome' | 'status' | 'isFinal'>): Ending {
  const seen = context.signal.aborted
    ? ({ outcome: 'client_closed', status: LEFT_STATUS } as const)
    : ({ outcome: 'ok', status: 200 } as const);
  return { ...told, ...seen, isFinal: true };
}

/** The provider's text, ready for its price. @throws GatewayError where it is no JSON object. */
function pricedBody(
  call: Call,
  target: Target,
  text: Buffer,
  splices: Splices,
  members: Members | undefined = scanObject(text),
): Whole['body'] {
  if (!members) throw brokenAnswerOf(target.model.provider);
  return (bill) => spliceMembers(text, members, new Map([...splices, ...paidMembers(call, bill)]));
}

/** What the gateway tells of a call beside the answer. */
function paidMembers(call: Call, { cost, provider }: Bill): Splices {
  const metadata = callMetadata(call);
  return new Map([
    ['cost', cost],
    ['provider', JSON.stringify(provider)],
    ...(metadata ? [['causeway_metadata', metadata] as const] : []),
  ]);
}
