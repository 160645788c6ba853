import { type Endpoint } from '../contract/endpoint.js';
import {
  type CallContext,
  type Codec,
  type Target,
  type UpstreamReply,
} from '../providers/provider.js';
import { addedUsage } from '../contract/usage.js';
import { LEFT_STATUS } from '../contract/usage-record.js';
import { type AskedParts } from './asked-parts.js';
import { type Call, callContext } from './call.js';
import { costOf, type Ending, type Paid, sentIn, together, usageOf } from './paid.js';
import { chargedTogether } from './split.js';
import { type Translation } from './whole.js';

/** What one part is paid, and what its price depends on. */
type PartPaid = Pick<Ending, 'image' | 'charged'> & Omit<Paid, 'cost'>;

/**
 * What a request is paid whose caller has left while it ran in several calls, or in one that its provider has
 * begun. A call that was answered is paid by its provider's word; one that was cut by what it was sent; one
 * that goes on and cannot be stopped by all that it asks for, or by what its provider said when it began.
 */
export async function paidWhenLeft<E extends Endpoint>(
  call: Call,
  target: Target,
  translation: Pick<Translation<E>, 'codec' | 'request'>,
  parts: AskedParts,
): Promise<Paid | undefined> {
  const { codec, request } = translation;
  const whole = callContext(call, target, request);
  const chargeable = await parts.chargeable();
  const contexts = codec.parts?.(whole);
  const paid = chargeable.flatMap(({ index, reply, begun }): readonly PartPaid[] => {
    const context = contexts?.[index] ?? whole;
    const part = { ...call, body: { ...call.body, value: context.request } };
    if (!reply && begun) {
      const usage = usageOf(part, target, { ...LEFT, usage: undefined });
      return [{ usage, isEstimate: true, ...codec.begun?.(begun, context) }];
    }
    if (!reply) return [{ usage: sentIn(part, target), isEstimate: true }];
    return answered(part, target, { codec, context, reply });
  });
  if (paid.length === 0) return undefined;
  const usage = paid.map((part) => part.usage).reduce(addedUsage);
  const image = paid.find((part) => part.image)?.image;
  const told = { ...(image && { image }), ...chargedTogether(paid), requests: paid.length };
  const cost = costOf(call, target, usage, told);
  return together([{ usage, cost, isEstimate: paid.some(({ isEstimate }) => isEstimate) }]);
}

interface Answered<E extends Endpoint> {
  readonly codec: Codec<E>;
  readonly context: CallContext<E>;
  readonly reply: UpstreamReply;
}

/** None for an answer that is none: it has failed. */
function answered<E extends Endpoint>(
  part: Call,
  target: Target,
  { codec, context, reply }: Answered<E>,
): readonly PartPaid[] {
  try {
    const { result, ...told } = codec.decode([reply], context);
    const { data } = result as { readonly data?: readonly unknown[] };
    const usage = usageOf(part, target, { ...LEFT, ...told, images: data?.length });
    return [{ ...told, usage, isEstimate: usage !== told.usage }];
  } catch {
    return [];
  }
}

const LEFT = {
  outcome: 'client_closed',
  status: LEFT_STATUS,
  isFinal: true,
  outputBytes: 0,
  firstByteMs: null,
} as const;
