import { isFailedStatus } from '../contract/failed-status.js';
import { type Endpoint } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import {
  type CallContext,
  type Codec,
  type Target,
  type UpstreamCall,
  type UpstreamReply,
} from '../providers/provider.js';
import { parsedReply, readReply } from '../upstream/read-reply.js';
import { type Call } from './call.js';
import { type Exchange } from './exchange.js';
import { pause } from './patience.js';
import { brokenAnswerOf, secondsOf } from './upstream-failure.js';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 2_000;
const LONGEST_TOLD_WAIT_MS = 30_000;
const GROWTH = 1.5;

/** A call whose answer may come later, and the codec that knows how to ask for it. */
export interface Question<E extends Endpoint> {
  readonly call: Call;
  readonly target: Target;
  readonly codec: Codec<E>;
  readonly context: CallContext<E>;
}

/**
 * Asks again until the provider has the answer; what it began is stopped when nobody waits for it any
 * more, where the provider can do that.
 *
 * @throws the reason for which nobody waits, which is GatewayError 504 when the request's time is over,
 * and what asking throws.
 */
export async function finalReply<E extends Endpoint>(
  exchange: Exchange,
  first: UpstreamReply,
  { call, target, codec, context }: Question<E>,
): Promise<UpstreamReply> {
  let reply = first;
  let asked: UpstreamCall | undefined;
  let usualMs = FIRST_WAIT_MS;
  try {
    for (;;) {
      const again = codec.next?.(reply, context, asked);
      if (!again) return reply === first ? first : { ...reply, begunBy: first };
      asked = again;
      await pause(toldWait(secondsOf(reply.headers), usualMs), call.ends);
      usualMs = Math.min(usualMs * GROWTH, LONGEST_WAIT_MS);
      reply = await answerTo(again, exchange, call, target);
    }
  } catch (error) {
    const stop = codec.cancel?.(first);
    if (stop) void exchange.stop(call, target, stop);
    throw error;
  }
}

/**
 * Asks once, and a few times more where asking fails in passing: what the provider began goes on.
 *
 * @throws GatewayError that keeps the whole from being begun a second time.
 */
async function answerTo(
  again: UpstreamCall,
  exchange: Exchange,
  call: Call,
  target: Target,
): Promise<UpstreamReply> {
  for (let failures = 1; ; failures++) {
    let isNoWord = false;
    try {
      const reply = await parsedReply(await readReply(await exchange.open(call, target, again)));
      isNoWord = NO_WORD.test(reply.bytes.toString('latin1', 0, HEAD_BYTES));
      if (!isNoWord) return reply;
      throw brokenAnswerOf(target.model.provider);
    } catch (error) {
      if (call.ends.aborted || !(error instanceof GatewayError)) throw error;
      const { upstream = { status: 0 }, retryAfter } = error.details;
      const isPassing = isNoWord || PASSING.has(upstream.status) || isFailedStatus(upstream.status);
      if (!isPassing || failures === MOST_FAILURES) {
        throw onceBegun(MISSING.has(upstream.status) ? missing(error, target) : error);
      }
      await pause(toldWait(retryAfter, FIRST_WAIT_MS * 2 ** failures), call.ends);
    }
  }
}

/** The error of what the provider has begun, by which it is not begun a second time. */
export function onceBegun({ status, code, message, details }: GatewayError): GatewayError {
  const upstream = { status: 0, ...details.upstream, unsent: false };
  return new GatewayError(status, code, message, { ...details, upstream });
}

/** The 502 of what the provider has begun and does not have: the model is there, and the caller asked rightly. */
function missing({ message, details }: GatewayError, { model }: Target): GatewayError {
  const text = `The provider ${model.provider} does not give out what it began: ${message}`;
  return new GatewayError(502, 'upstream_error', text, details);
}

/** Not there, gone, and not there yet. */
const MISSING = new Set([404, 410, 425]);

/** Nothing, or a page of what stands in front of the provider, which knows nothing of what was begun. */
const NO_WORD = /^(?:$|\s*<)/;
const HEAD_BYTES = 64;

/** No answer at all, one that took too long or came too early, and too many requests. */
const PASSING = new Set([0, 408, 425, 429]);
const MOST_FAILURES = 4;

/**
 * Milliseconds to wait before it is asked again: what the provider says itself counts, within reason,
 * because the caller waits too, and an answer may be there long before.
 */
export function toldWait(seconds: number | undefined, usualMs: number): number {
  if (seconds === undefined) return usualMs;
  return Math.min(Math.max(FIRST_WAIT_MS, seconds * 1_000), LONGEST_TOLD_WAIT_MS);
}
