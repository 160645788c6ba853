import { type Endpoint } from '../contract/endpoint.js';
import { type Relay, type Target } from '../providers/provider.js';
import { conversation } from '../providers/serves.js';
import { AskedParts } from './asked-parts.js';
import { type Call, callContext, forwarded, surfaceCall } from './call.js';
import { unserved } from './dialect-choice.js';
import { relayedStream, type Streaming, translatedStream } from './streaming.js';
import { type Surface } from './surface.js';
import { relayCall, type Relaying, type Translation } from './whole.js';

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
  return { relay, translation, upstreamCall: relayCall(call, target, relay, false) };
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
export function sayingOf(
  call: Call,
  target: Target,
  surface: Surface,
): Streaming | Relaying<'messages'> | Translating<'messages'> {
  const way = conversation(target, surface.format, call.body.value);
  if (!way) throw unserved(call, target);
  if ('relay' in way) {
    const streaming = call.stream ? relayedStream(call, target, way.relay) : undefined;
    return streaming ?? relaying(call, target, way.relay);
  }
  const { codec } = way;
  const request = surface.read(forwarded(call.body) as Readonly<Record<string, unknown>>);
  if (call.stream) return translatedStream(call, target, codec, { surface, request });
  return translating(call, target, {
    codec,
    request,
    render: (message, usage) => surface.render(message, usage, surfaceCall(call, target)),
  });
}

/** Whether a conversation can be said to a model's provider; why not is told when it is asked. */
export function canSay(call: Call, target: Target, surface: Surface): boolean {
  try {
    sayingOf(call, target, surface);
    return true;
  } catch {
    return false;
  }
}
