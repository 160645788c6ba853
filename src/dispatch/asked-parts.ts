import { type UpstreamCall, type UpstreamReply } from '../providers/provider.js';

/** Calls that a codec makes of one request run side by side, this many at most. */
const MOST_AT_ONCE = 4;

/**
 * The calls that a codec makes of one request, and what came of them. A part that a try has brought,
 * or has asked for and not got yet, is not asked for again by the next one: it may have been billed.
 */
export class AskedParts {
  private readonly sides = new Map<unknown, Replies>();

  constructor(private readonly calls: readonly UpstreamCall[]) {}

  /**
   * The replies in the order of the calls.
   *
   * @param side of a hedged call, each of which asks for itself.
   * @throws what asking for one of them throws.
   */
  async all(
    ask: (call: UpstreamCall) => Promise<UpstreamReply>,
    side?: unknown,
  ): Promise<readonly UpstreamReply[]> {
    const { calls } = this;
    const known = this.sides.get(side) ?? new Map<number, Promise<UpstreamReply>>();
    this.sides.set(side, known);
    const replies: UpstreamReply[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      for (let index = next++; index < calls.length; index = next++) {
        const call = calls[index];
        if (!call) return;
        try {
          replies[index] = await once(known, index, () => ask(call));
        } catch (error) {
          // Without this one there is no answer, so that the others are not worth asking for.
          next = calls.length;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    return replies;
  }
}

type Replies = Map<number, Promise<UpstreamReply>>;

function once(
  known: Replies,
  index: number,
  ask: () => Promise<UpstreamReply>,
): Promise<UpstreamReply> {
  const earlier = known.get(index);
  if (earlier) return earlier;
  const asked = ask();
  known.set(index, asked);
  asked.catch(() => known.delete(index));
  return asked;
}
