import { GatewayError } from '../contract/gateway-error.js';
import { membersOf } from '../json/values.js';

/** What is known of the first entry of a plan. */
export interface First {
  /** Whether the caller has named it. */
  readonly isNamed: boolean;
  /** Whether the request holds the whole conversation, although it asks for a thread. */
  readonly beginsThread: boolean;
}

/**
 * Tries each entry of a plan until one succeeds; `attempt` is told which follow.
 *
 * @param state settled: the try that has failed is paid for, and no other one may follow it.
 * @param first what is known of the first entry, which is not passed over where the caller has named it and it
 * costs too much or refuses a thread, nor where it refuses a thread that the request begins.
 * @throws what no other entry could mend; when all have failed, what the last one threw that was asked,
 * and where none was, that of the last one that is not called at the moment, that of the last one
 * that costs more than there is, or the last one's refusal; before all of them the refusal of a
 * thread, by which the caller can help.
 */
export async function firstSuccess<T, R>(
  plan: readonly T[],
  attempt: (entry: T, following: readonly T[]) => Promise<R>,
  state: { readonly isSettled: boolean },
  first: First = { isNamed: true, beginsThread: false },
): Promise<R> {
  let failure: unknown;
  let mayPass = false;
  for (const [index, entry] of plan.entries()) {
    try {
      return await attempt(entry, plan.slice(index + 1));
    } catch (error) {
      const isFirst = index === 0;
      const isPassedOver = !(isFirst && first.isNamed) && isTooDear(error);
      if (state.isSettled || !(isPassedOver || mayWorkElsewhere(error))) throw error;
      // Anthropic's SDK begins threads by itself: a model that works would lose every turn to a Claude.
      if (isFirst && (first.isNamed || first.beginsThread) && refusesThread(error)) throw error;
      mayPass ||= isPassing(error);
      if (weightOf(error) >= weightOf(failure)) failure = error;
    }
  }
  // Made here and not before the loop: every call that succeeds would pay for its stack.
  failure ??= new Error('a plan names at least one model');
  throw mayPass ? notFinal(failure) : failure;
}

/** What SDKs ask again after, unless they are told that it is in vain. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.details.upstream?.isFinal) return false;
  return error.status === 409 || error.status === 429 || error.status >= 500;
}

/** The same failure, after which the request may be sent again: not every model has spoken for good. */
function notFinal(failure: unknown): unknown {
  if (!(failure instanceof GatewayError)) return failure;
  const { status, code, message, details } = failure;
  const { upstream } = details;
  if (!upstream?.isFinal) return failure;
  return new GatewayError(status, code, message, {
    ...details,
    upstream: { ...upstream, isFinal: false },
  });
}

/** What became of a try tells more than that none was made: for now, or of such a request. */
function weightOf(error: unknown): number {
  if (!(error instanceof GatewayError)) return 0;
  const { details } = error;
  if (refusesThread(error)) return 4;
  if (details.upstream?.circuit) return 2;
  if (isTooDear(error)) return 1;
  return isOwnRefusal(error) ? 0 : 3;
}

/** Whether nobody was asked, as the gateway's own translation has no words for it: a 400 of no provider's. */
export function isOwnRefusal(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  return error.status === 400 && !error.details.upstream?.status;
}

/** By this Anthropic's SDK knows that it has to send the whole conversation, which the others can take. */
export function refusesThread(error: unknown): boolean {
  return error instanceof GatewayError && reasonOf(error) === 'thread_unsupported_request';
}

/** By these Anthropic's SDK knows that the thread has to begin anew, with all turns, and sends them. */
const GONE_THREADS: ReadonlySet<unknown> = new Set([
  'thread_not_found',
  'thread_already_continued',
  'thread_continue_in_flight',
]);

function reasonOf({ details: { upstream } }: GatewayError): unknown {
  return membersOf(upstream?.details).error_code;
}

/** A fallback may cost more than there is; the one behind it may be cheaper. */
function isTooDear(error: unknown): boolean {
  return error instanceof GatewayError && error.status === 402 && !error.details.upstream;
}

/**
 * A provider's failure, or a request that this model cannot take, may go better with another model.
 * Too large is too large everywhere, no model has the turns of a thread that is gone, and the gateway's
 * own troubles are the same for all.
 */
function mayWorkElsewhere(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.status === 413) return false;
  if (GONE_THREADS.has(reasonOf(error))) return false;
  return error.details.upstream !== undefined || error.status === 400;
}
