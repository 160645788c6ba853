import { GatewayError } from '../contract/gateway-error.js';
import { type NeutralRequest } from '../contract/neutral.js';
import { type Dialect, type Target } from '../providers/provider.js';
import { readReply } from '../upstream/read-reply.js';
import { isKeyRefused } from '../upstream/refused-key.js';
import { type Call, callContext, forwarded, relayContext } from './call.js';
import { dialectFor } from './dialect-choice.js';
import { type Exchange } from './exchange.js';
import { beforeDeadline } from './patience.js';
import { relayCall } from './relay-call.js';
import { type Tries } from './tries.js';
import { brokenAnswerOf } from './upstream-failure.js';

/** Counting takes a moment, and an agent that waits for it does nothing else: then an estimate will do. */
const PATIENCE_MS = 5_000;

/** So many models are asked for a count that is refused. */
const MOST_ASKED = 3;

interface Means {
  readonly exchange: Exchange;
  readonly tries: Tries;
}

/**
 * A provider's own count of a Messages request's input, as the answer's bytes: that of the first model of
 * a plan, or of the next one where it is refused, which would answer in its place; undefined where it does
 * not count, or cannot now, or not within five seconds.
 *
 * @throws GatewayError where the caller has to know, and no other model follows: the request or the
 * gateway's credential is refused, the model is not there, or too many ask.
 */
export async function countByFirst(
  means: Means,
  call: Call,
  plan: readonly Target[],
): Promise<Buffer | undefined> {
  for (const target of plan.slice(0, MOST_ASKED)) {
    try {
      return await countByProvider(means, call, target);
    } catch (error) {
      const isRefusal = error instanceof GatewayError && error.details.upstream !== undefined;
      if (!isRefusal || plan.length === 1 || call.context.signal.aborted) throw error;
    }
  }
  return undefined;
}

async function countByProvider(
  { exchange, tries }: Means,
  call: Call,
  target: Target,
): Promise<Buffer | undefined> {
  const dialect = dialectFor(call, target, 'count-tokens');
  if (!dialect) return undefined;
  try {
    const mostMs = Math.min(PATIENCE_MS, exchange.totalMs);
    return await beforeDeadline(call, mostMs, (timed) =>
      tries.unpaid(timed, target, (tried) => countBy(dialect, exchange, tried, target)),
    );
  } catch (error) {
    if (call.context.signal.aborted || !isPassing(error)) throw error;
    return undefined;
  }
}

async function countBy(
  { relay, codec }: Dialect<'count-tokens'>,
  exchange: Exchange,
  call: Call,
  target: Target,
): Promise<Buffer | undefined> {
  if (relay) {
    const upstreamCall = relayCall(call, target, relay, { stream: false });
    const { bytes } = await readReply(await exchange.open(call, target, upstreamCall));
    if (relay.reply(bytes, relayContext(call, target))) return bytes;
    throw brokenAnswerOf(target.model.provider);
  }
  if (!codec) return undefined;
  const request = forwarded(call.body) as NeutralRequest;
  const context = callContext<'count-tokens'>(call, target, request);
  const replies = await Promise.all(
    codec
      .encode(context)
      .map(async (upstreamCall) => readReply(await exchange.open(call, target, upstreamCall))),
  );
  return Buffer.from(JSON.stringify(codec.decode(replies, context).result));
}

/** Whether it says nothing of the request: the provider is down, slow, or has no such endpoint. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  const upstream = error.details.upstream?.status;
  if (upstream === undefined) return false;
  // A model that is not there is no reason to guess.
  if (upstream === 404) return !/model/i.test(error.message);
  // Bedrock's words for a model that it does not count for.
  if (upstream === 400) return /support counting tokens/i.test(error.message);
  return error.status >= 500 && !isKeyRefused(error);
}
