import { setTimeout as delay } from 'node:timers/promises';
import { type Endpoint } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import {
  type CallContext,
  type Codec,
  type Target,
  type UpstreamCall,
  type UpstreamReply,
} from '../providers/provider.js';
import { readReply } from '../upstream/read-reply.js';
import { type Call } from './call.js';
import { type Exchange } from './exchange.js';
import { secondsOf } from './upstream-failure.js';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
const GROWTH = 1.5;

/** A call whose answer may come later, and the codec that knows how to ask for it. */
export interface Question<E extends Endpoint> {
  readonly call: Call;
  readonly target: Target;
  readonly codec: Codec<E>;
  readonly context: CallContext<E>;
  /** `performance.now()` after which nobody waits any more. */
  readonly deadline: number;
}

/**
 * Asks again until the provider has the answer; what it began is stopped when nobody waits for it any
 * more, where the provider can do that.
 *
 * @throws GatewayError 504 at the deadline, the signal's reason when the caller hangs up, and what
 * asking throws.
 */
export async function finalReply<E extends Endpoint>(
  exchange: Exchange,
  first: UpstreamReply,
  { call, target, codec, context, deadline }: Question<E>,
): Promise<UpstreamReply> {
  const { signal } = call.context;
  let reply = first;
  let asked: UpstreamCall | undefined;
  let usualMs = FIRST_WAIT_MS;
  try {
    for (;;) {
      const again = codec.next?.(reply, context, asked);
      if (!again) return reply;
      asked = again;
      await pause(waitAfter(reply, usualMs), deadline, signal);
      usualMs = Math.min(usualMs * GROWTH, LONGEST_WAIT_MS);
      reply = await askWithin(exchange, { call, target, again, deadline });
    }
  } catch (error) {
    const stop = codec.cancel?.(first);
    if (stop) void exchange.stop(call, target, stop);
    throw error;
  }
}

async function askWithin(
  exchange: Exchange,
  asked: { call: Call; target: Target; again: UpstreamCall; deadline: number },
): Promise<UpstreamReply> {
  const { call, target, again, deadline } = asked;
  const patience = AbortSignal.timeout(Math.max(1, Math.ceil(deadline - performance.now())));
  const signal = AbortSignal.any([call.context.signal, patience]);
  try {
    return await readReply(await exchange.open(call, target, again, signal));
  } catch (error) {
    if (patience.aborted && !call.context.signal.aborted) throw tooLate();
    throw error;
  }
}

/** What the provider says itself counts, within reason. */
function waitAfter({ headers }: UpstreamReply, usualMs: number): number {
  const seconds = secondsOf(headers['retry-after']);
  return seconds === undefined ? usualMs : seconds * 1_000;
}

async function pause(ms: number, deadline: number, signal: AbortSignal): Promise<void> {
  const left = deadline - performance.now();
  if (left <= 0) throw tooLate();
  await delay(Math.min(ms, left), undefined, { signal }).catch(() => {
    signal.throwIfAborted();
  });
  if (ms >= left) throw tooLate();
}

function tooLate(): GatewayError {
  const message = 'The provider did not answer in time.';
  return new GatewayError(504, 'upstream_timeout', message, { upstream: { status: 0 } });
}
