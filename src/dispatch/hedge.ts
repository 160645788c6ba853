import { mostOutputAsked } from '../contract/asked-output.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Target } from '../providers/provider.js';
import { type Call, isPlayed } from './call.js';
import { isKeyRefused } from '../upstream/refused-key.js';
import { cutBy } from './patience.js';

/** Makes a try of a call. */
export type Work<T> = (call: Call) => Promise<T>;

/** Why a try was cut: another one for the same request has answered first. */
export const OUTRUN = new GatewayError(502, 'upstream_error', 'Another try has answered first.');

/** Why a second try was cut: the request was refused, which it would be as well. */
export const IN_VAIN = new GatewayError(502, 'upstream_error', 'The request was refused.');

/**
 * Whether a try that failed was cut before it was refused: for what it was sent its provider may
 * charge, which nobody hears of.
 */
export function isCut({ context, cut }: Call, error: unknown): boolean {
  const isUnheard = context.signal.aborted || cut?.reason === OUTRUN;
  const { status = 0 } = (error instanceof GatewayError && error.details.upstream) || {};
  return isUnheard && status < 400;
}

/** Whether the request itself is refused: without a second try that would be the answer. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof GatewayError) || isKeyRefused(error)) return false;
  return [400, 413, 422].includes(error.details.upstream?.status ?? 0);
}

/** A conversation that asks for more output tokens is not short: its time says nothing. */
const MOST_OUTPUT_TOKENS = 1_024;

interface Asked {
  readonly routing?: { readonly hedge_after_ms?: unknown } | null;
  readonly n?: unknown;
}

/**
 * Milliseconds after which a call that is not answered is made a second time: the caller's own wish,
 * else the model's; undefined for a call that is never hedged.
 */
export function hedgeAfterMs(call: Call, { model }: Target): number | undefined {
  const { path, format, body, stream } = call;
  const { routing, ...asked } = body.value as Asked;
  if (isPlayed(call) || model.provider === 'sandbox') return undefined;
  const isShortCall = format !== undefined && !stream && isShort(asked);
  if (path !== '/embeddings' && !isShortCall) return undefined;
  // Messages take a number also as a text.
  const wanted = Number(routing?.hedge_after_ms ?? undefined);
  return Number.isInteger(wanted) ? wanted : model.hedgeAfterMs;
}

function isShort({ n, ...asked }: Asked): boolean {
  const most = mostOutputAsked(asked);
  return most !== undefined && most * (typeof n === 'number' ? n : 1) <= MOST_OUTPUT_TOKENS;
}

/** Makes the tries of one side of a hedged call. */
export type Side<T> = (call: Call, work: Work<T>) => Promise<T>;

/** The two sides of a hedged call. */
export interface Sides<T> {
  readonly first: Side<T>;
  /**
   * Asked when the first one is late: the second one, or undefined where none may be made; `later` where it is
   * to be asked again, as the first one waits for its provider.
   */
  readonly second: () => Promise<Side<T> | 'later' | undefined>;
  /** Told when the second one may be made, and is not: the first one has ended meanwhile. */
  readonly unused?: () => void;
}

/**
 * Begins the first side and, when it has not answered after so many milliseconds, the second one. The
 * first answer counts, and the other side is cut in the same moment, with `OUTRUN`; where the first side
 * finds that the request is refused, the second one is cut with `IN_VAIN`.
 *
 * @throws what the first side threw, when neither has answered.
 */
export async function hedged<T>(
  call: Call,
  afterMs: number,
  work: Work<T>,
  { first, second, unused }: Sides<T>,
): Promise<T> {
  const cuts: AbortController[] = [];
  const run = (side: Side<T>): Promise<T> => {
    const own = new AbortController();
    cuts.push(own);
    return side(cutBy(call, own.signal), async (tried) => {
      const answer = await work(tried);
      own.signal.throwIfAborted();
      for (const other of cuts) if (other !== own) other.abort(OUTRUN);
      return answer;
    });
  };
  const one = run(first);
  const over = one.then(ended, ended);
  let side: Awaited<ReturnType<typeof second>>;
  do {
    if (await endsWithin(over, afterMs)) return one;
    side = await second();
  } while (side === 'later');
  if (!side) return one;
  // It may have ended while money was set aside for the other one.
  if (await endsWithin(over, 0)) {
    unused?.();
    return one;
  }
  const two = run(side);
  one.catch((error: unknown) => {
    if (isRefusal(error)) cuts[1]?.abort(IN_VAIN);
  });
  try {
    return await Promise.any([one, two]);
  } catch {
    return one;
  }
}

const ended = (): true => true;

/** Whether it is over after so many milliseconds; told as soon as it is. */
async function endsWithin(over: Promise<true>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  const isOver = await Promise.race([over, late]);
  clearTimeout(timer);
  return isOver;
}
