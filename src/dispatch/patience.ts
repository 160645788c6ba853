import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_TIMER_MS } from '../contract/longest-timer.js';
import { tooLate } from '../upstream/too-late.js';
import { type Call } from './call.js';

/** A timer may be so much early, and what seems to be left then is no time for another try. */
const TIMER_MS = 1;

/** The call, as one that ends also when this is aborted, although its caller waits. */
export function cutBy(call: Call, signal: AbortSignal): Call {
  const cut = call.cut ? firstOf(call.cut, signal) : signal;
  return { ...call, cut, ends: firstOf(call.context.signal, cut) };
}

/**
 * Aborted with the first of two signals that live no longer than a request. `AbortSignal.any`, which
 * is made for signals that do, takes ten times as long, and every call would pay for it.
 */
export function firstOf(...signals: readonly [AbortSignal, AbortSignal]): AbortSignal {
  const first = new AbortController();
  for (const signal of signals) {
    const follow = (): void => {
      first.abort(signal.reason);
    };
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
  }
  return first.signal;
}

/** Waits so many milliseconds. @throws the signal's reason as soon as it is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    signal.throwIfAborted();
  });
}

/**
 * Does `work` with a call that is cut when so long has passed since its request came in. It is cut as well when
 * the work has failed, because its other parts have no use then; but not where the caller has left: the drains
 * say what runs on.
 *
 * @throws GatewayError 504 when it is, and what `work` throws.
 */
export async function beforeDeadline<T>(
  call: Call,
  totalMs: number,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const leftMs = call.context.receivedAt + totalMs - performance.now();
  if (leftMs <= 0) throw tooLate();
  const clock = new AbortController();
  const timer = setTimeout(
    () => {
      clock.abort(tooLate());
    },
    Math.min(Math.ceil(leftMs) + TIMER_MS, LONGEST_TIMER_MS),
  );
  try {
    return await work(cutBy(call, clock.signal));
  } catch (error) {
    if (!call.context.signal.aborted) clock.abort(error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
