import { type Endpoint } from '../contract/endpoint.js';
import { type NeutralRequest } from '../contract/neutral.js';
import { LARGE_BYTES, nextFreeRound } from '../json/time-sliced.js';
import { membersOf } from '../json/values.js';
import { type Relay, type Target } from '../providers/provider.js';
import { conversationWay, helperMissing } from '../providers/serves.js';
import { estimateInput } from '../tokens/estimate.js';
import { AskedParts } from './asked-parts.js';
import { type Call, callContext, forwarded, surfaceCall } from './call.js';
import { inCallersWords } from './callers-words.js';
import { unserved } from './dialect-choice.js';
import { refuseLacked } from './lacked.js';
import { relayCall } from './relay-call.js';
import { relayedStream, type Streaming, translatedStream } from './streaming.js';
import { type Surface } from './surface.js';
import { type Relaying, type Translation } from './whole.js';

// A request that cannot be said in a provider's format is no try: what is sent is made before.

/** A translation, and the calls that it has made of the request. */
export interface Translating<E extends Endpoint> {
  readonly translation: Translation<E>;
  readonly parts: AskedParts;
}

/** What passes the caller's own bytes on; errors as `relayCall`. */
export function relaying<E extends Endpoint>(
  call: Call,
  target: Target,
  relay: Relay,
  translation?: Translation<E>,
): Relaying<E> {
  return { relay, translation, upstreamCall: relayCall(call, target, relay, { stream: false }) };
}

/** @throws GatewayError 400 for what the provider's format cannot carry. */
export function translating<E extends Endpoint>(
  call: Call,
  target: Target,
  translation: Translation<E>,
): Translating<E> {
  const { codec, request } = translation;
  return { translation, parts: new AskedParts(codec.encode(callContext(call, target, request))) };
}

/**
 * How a conversation is said to a model's provider: passed on byte for byte where that speaks the
 * caller's format, translated where it speaks another.
 *
 * @throws GatewayError 400 for one that cannot be said there.
 */
function sayingOf(call: Call, target: Target, surface: Surface): Saying {
  const way = wayTo(call, target, surface);
  if ('relay' in way) {
    const streaming = call.stream ? relayedStream(call, target, way.relay) : undefined;
    return streaming ?? relaying(call, target, way.relay);
  }
  return translatedSaying(call, target, surface, {
    codec: way.codec,
    request: read(call, surface),
  });
}

/**
 * As `sayingOf`, if the model may take it (`refuseLacked`); a long translation takes several rounds, between
 * which others are served.
 */
export async function saidInRounds(call: Call, target: Target, surface: Surface): Promise<Saying> {
  const { value, bytes } = call.body;
  refuseLacked(call, target);
  const way = wayTo(call, target, surface);
  if ('relay' in way || bytes.length < LARGE_BYTES) return sayingOf(call, target, surface);
  const request = read(call, surface);
  await nextFreeRound();
  // A translation asks for it, and then it is known.
  estimateInput(value);
  await nextFreeRound();
  const said = translatedSaying(call, target, surface, { codec: way.codec, request });
  await nextFreeRound();
  return said;
}

/**
 * Whether a conversation can be said to a model's provider, and the model may take it; why not is told when
 * it is asked. A long one is taken to be sayable, for to find out is to translate it at once.
 */
export function canSay(call: Call, target: Target, surface: Surface): boolean {
  try {
    refuseLacked(call, target);
    if (call.body.bytes.length >= LARGE_BYTES) return true;
    sayingOf(call, target, surface);
    return true;
  } catch {
    return false;
  }
}

type Saying = Streaming | Relaying<'messages'> | Translating<'messages'>;

function wayTo(call: Call, target: Target, surface: Surface) {
  const way = conversationWay(target, surface.format, call.body.value);
  if (!way) throw unserved(call, target);
  if (target.helper === null) throw helperMissing(way.format, call.body.value);
  return way;
}

function read({ body }: Call, surface: Surface): NeutralRequest {
  return surface.read(forwarded(body) as Readonly<Record<string, unknown>>);
}

function translatedSaying(
  call: Call,
  target: Target,
  surface: Surface,
  { codec, request }: Pick<Translation<'messages'>, 'codec' | 'request'>,
): Saying {
  try {
    if (call.stream) return translatedStream(call, target, codec, { surface, request });
    return translating(call, target, {
      codec,
      request,
      render: (message, usage) => surface.render(message, usage, surfaceCall(call, target)),
    });
  } catch (error) {
    throw inCallersWords(error, { surface, request, body: membersOf(call.body.value) });
  }
}
