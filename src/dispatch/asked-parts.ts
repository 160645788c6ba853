import { type Deployment } from '../providers/deployment.js';
import { type UpstreamCall, type UpstreamReply } from '../providers/provider.js';
import { isNotDone } from '../upstream/retries.js';

/** Calls that a codec makes of one request run side by side, this many at most. */
const MOST_AT_ONCE = 4;

/** One of the calls, as far as it has come. */
interface AskedPart {
  /** Which of them it is. */
  readonly index: number;
  /** It has left, and was neither refused nor failed: the provider may charge for it. */
  isSent: boolean;
  /** By which its provider has begun what it answers later, where it cannot be stopped. */
  begun?: UpstreamReply;
  reply?: UpstreamReply;
}

/** Asks for a part, and notes on it whether it is sent. */
export type Ask = (call: UpstreamCall, part: AskedPart) => Promise<UpstreamReply>;

/**
 * The calls that a codec makes of one request, and what came of them. A part that a try has brought,
 * or has asked for and not got yet, is not asked for again by the next one: it may have been billed.
 */
export class AskedParts {
  private readonly sides = new Map<unknown, Replies>();
  private readonly asked: AskedPart[] = [];

  constructor(private readonly calls: readonly UpstreamCall[]) {}

  /** How many calls it takes. */
  get size(): number {
    return this.calls.length;
  }

  /** Whether a provider works on one of them, whoever waits for it. */
  get areBegun(): boolean {
    return this.asked.some(({ begun }) => begun !== undefined);
  }

  /**
   * The replies in the order of the calls.
   *
   * @param side of a hedged call, each of which asks for itself.
   * @param deployment what the try goes through; undefined where there is one way.
   * @throws what asking for one of them throws.
   */
  async all(ask: Ask, side?: unknown, deployment?: Deployment): Promise<readonly UpstreamReply[]> {
    const { calls } = this;
    const known = this.sides.get(side) ?? new Map<number, Brought>();
    this.sides.set(side, known);
    const replies: UpstreamReply[] = [];
    let next = 0;
    let isOver = false;
    const brought = async (index: number, call: UpstreamCall): Promise<UpstreamReply> => {
      for (;;) {
        const earlier = known.get(index);
        if (!earlier) {
          const reply = this.once(known, index, call, ask);
          known.set(index, { reply, deployment });
          return reply;
        }
        try {
          return await earlier.reply;
        } catch (error) {
          // What an earlier try's deployment has refused, this one's is still to be asked for.
          const isOfOther = earlier.deployment !== deployment && isNotDone(error);
          if (isOver || !isOfOther) throw error;
        }
      }
    };
    const work = async (): Promise<void> => {
      for (let index = next++; index < calls.length; index = next++) {
        const call = calls[index];
        if (!call) return;
        try {
          replies[index] = await brought(index, call);
        } catch (error) {
          // Without this one there is no answer, so that the others are not worth asking for.
          isOver = true;
          next = calls.length;
          throw error;
        }
      }
    };
    await Promise.all(Array.from({ length: MOST_AT_ONCE }, work));
    return replies;
  }

  /** When none runs any more: those that the provider may charge for, also where it was not heard. */
  async chargeable(): Promise<readonly AskedPart[]> {
    const asked = [...this.sides.values()].flatMap((known) => [...known.values()]);
    await Promise.allSettled(asked.map(({ reply }) => reply));
    return this.asked.filter(({ isSent }) => isSent);
  }

  private once(
    known: Replies,
    index: number,
    call: UpstreamCall,
    ask: Ask,
  ): Promise<UpstreamReply> {
    const part: AskedPart = { index, isSent: false };
    this.asked.push(part);
    const asked = ask(call, part);
    asked.then(
      (reply) => (part.reply = reply),
      () => known.delete(index),
    );
    return asked;
  }
}

/** The answer to a part, which may be still to come, and what it was asked of. */
interface Brought {
  readonly reply: Promise<UpstreamReply>;
  readonly deployment: Deployment | undefined;
}

type Replies = Map<number, Brought>;
