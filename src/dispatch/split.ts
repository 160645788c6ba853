import { type Endpoint, type RequestOf, type ResultOf } from '../contract/endpoint.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Model } from '../contract/model.js';
import { addedUsage, type Usage } from '../contract/usage.js';
import {
  type CallContext,
  type Codec,
  type Decoded,
  type UpstreamReply,
} from '../providers/provider.js';

/** How a request that asks for more than a provider gives at once is made into several. */
export interface Split<E extends Endpoint> {
  /**
   * The requests to make in place of one; it alone, where it is not too much.
   *
   * @throws GatewayError 400 where several would not come to the same.
   */
  readonly parts: (request: RequestOf<E>, model: Model) => readonly RequestOf<E>[];
  readonly join: (results: readonly [ResultOf<E>, ...ResultOf<E>[]]) => ResultOf<E>;
}

/** A codec that asks for every part of a request and joins the answers. */
export function splitting<E extends Endpoint>(
  codec: Codec<E>,
  { parts, join }: Split<E>,
): Codec<E> {
  const contexts = (call: CallContext<E>) =>
    parts(call.request, call.model).map((request) => ({ ...call, request }));
  const partsOf = (call: CallContext<E>) =>
    contexts(call).flatMap((part) => codec.parts?.(part) ?? codec.encode(part).map(() => part));
  return {
    ...codec,
    encode: (call) => contexts(call).flatMap((part) => codec.encode(part)),
    parts: partsOf,
    decode: (replies, call) => {
      if (replies.length === 1) return codec.decode(replies, call);
      const all = withoutRefused(replies, partsOf(call), codec);
      const [first, ...others] = all;
      return {
        result: join([first.result, ...others.map(({ result }) => result)]),
        usage: sumOf(all.map(({ usage }) => usage)),
        ...(first.image && { image: first.image }),
        ...chargedTogether(all),
        requests: all.length,
      };
    },
  };
}

/**
 * What each of the replies says. One that is the provider's refusal after it had taken the request, such as
 * of an image that it filtered, is left out: the others are made, and the provider charges for them.
 *
 * @throws GatewayError the first refusal where there is nothing else, and whatever else is wrong with one.
 */
function withoutRefused<E extends Endpoint>(
  replies: readonly UpstreamReply[],
  parts: readonly CallContext<E>[],
  codec: Codec<E>,
): readonly [Decoded<E>, ...Decoded<E>[]] {
  const came: Decoded<E>[] = [];
  const refusals: GatewayError[] = [];
  parts.forEach((part, index) => {
    try {
      came.push(codec.decode(replies.slice(index, index + 1), part));
    } catch (error) {
      if (!(error instanceof GatewayError) || error.status !== 400) throw error;
      refusals.push(error);
    }
  });
  const [first, ...others] = came;
  if (!first) throw refusals[0] ?? new Error('a request has at least one part');
  return [first, ...others];
}

type Told = Pick<Decoded<Endpoint>, 'charged'>;

/** What the provider says that all of them cost: only where every answer says it of itself. */
export function chargedTogether(all: readonly Told[]): Told {
  const sums = all.flatMap(({ charged }) => charged ?? []);
  return sums.length < all.length ? {} : { charged: sums.reduce((sum, one) => sum + one) };
}

/** Undefined when one of them is: what was paid for then is not known. */
function sumOf(usages: readonly (Usage | undefined)[]): Usage | undefined {
  return usages.reduce((sum, usage) => sum && usage && addedUsage(sum, usage));
}
