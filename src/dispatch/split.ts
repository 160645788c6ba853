import { type Endpoint, type RequestOf, type ResultOf } from '../contract/endpoint.js';
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
  return {
    ...codec,
    encode: (call) => contexts(call).flatMap((part) => codec.encode(part)),
    parts: (call) =>
      contexts(call).flatMap((part) => codec.parts?.(part) ?? codec.encode(part).map(() => part)),
    decode: (replies, call) => {
      let rest: readonly UpstreamReply[] = replies;
      const [first, ...others] = contexts(call).map((part): Decoded<E> => {
        const own = codec.encode(part).length;
        const decoded = codec.decode(rest.slice(0, own), part);
        rest = rest.slice(own);
        return decoded;
      });
      if (!first || others.length === 0) return first ?? codec.decode(replies, call);
      const all = [first, ...others];
      return {
        result: join([first.result, ...others.map(({ result }) => result)]),
        usage: sumOf(all.map(({ usage }) => usage)),
        ...(first.image && { image: first.image }),
        ...chargedTogether(all),
      };
    },
  };
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
