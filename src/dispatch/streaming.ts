import { type NeutralRequest } from '../contract/neutral.js';
import { anthropicRelay } from '../providers/dialects/anthropic/anthropic-relay.js';
import {
  type Codec,
  type Relay,
  type StreamTap,
  type Target,
  type UpstreamCall,
} from '../providers/provider.js';
import { Secrets } from '../upstream/secrets.js';
import { type Call, callContext, relayContext, surfaceCall } from './call.js';
import { unserved } from './dialect-choice.js';
import { relayCall } from './relay-call.js';
import { type Batches, framed, passedOn, serverEvents } from './server-events.js';
import { type Surface } from './surface.js';
import { WrittenTap } from './written-tap.js';

/** How an answer is streamed: what the provider is sent, and what becomes of its events. */
export interface Streaming {
  readonly upstreamCall: UpstreamCall;
  /** Begins to read one stream; each try has its own. */
  readonly tap: () => StreamTap;
  /** The provider's events in the neutral shape, or as they are passed on. */
  readonly translate?: (batches: Batches) => Batches;
}

/** Passes the provider's own events on; undefined where the relay has no streams. */
export function relayedStream(call: Call, target: Target, relay: Relay): Streaming | undefined {
  const tap = relay.stream?.bind(relay, relayContext(call, target));
  if (!tap) return undefined;
  const secrets = new Secrets(target.connection);
  const translate = (batches: Batches) => passedOn(batches, secrets, target.model.provider);
  return { tap, translate, upstreamCall: relayCall(call, target, relay, { stream: true }) };
}

/** Brings the provider's events to the neutral shape, and to the surface's where it has its own. */
export function translatedStream(
  call: Call,
  target: Target,
  codec: Codec<'messages'>,
  { surface, request }: { surface: Surface; request: NeutralRequest },
): Streaming {
  const context = callContext<'messages'>(call, target, request);
  const [upstreamCall] = codec.encode(context);
  const neutral = anthropicRelay.stream?.bind(anthropicRelay, relayContext(call, target));
  if (!upstreamCall || !neutral || !codec.decodeStream) throw unserved(call, target);
  const decode = codec.decodeStream.bind(codec);
  const secrets = new Secrets(target.connection);
  const origin = { provider: target.model.provider, requestId: call.context.id };
  return {
    upstreamCall,
    tap: () => {
      const writer = surface.writer?.(surfaceCall(call, target));
      return writer ? new WrittenTap(neutral(), writer, call.context.holdAnswer) : neutral();
    },
    translate: (batches) => framed(decode(serverEvents(batches, secrets), context), origin),
  };
}
