import { GatewayError } from '../contract/gateway-error.js';

/**
 * Tries each entry of a plan until one succeeds; `attempt` is told which follow.
 *
 * @param state settled: the try that has failed is paid for, and no other one may follow it.
 * @throws what the last try threw, or what no other entry could mend.
 */
export async function firstSuccess<T, R>(
  plan: readonly T[],
  attempt: (entry: T, following: readonly T[]) => Promise<R>,
  state: { readonly isSettled: boolean },
): Promise<R> {
  const last = plan.length - 1;
  for (const [index, entry] of plan.slice(0, last).entries()) {
    try {
      return await attempt(entry, plan.slice(index + 1));
    } catch (error) {
      if (state.isSettled || !mayWorkElsewhere(error)) throw error;
    }
  }
  const entry = plan[last];
  if (entry === undefined) throw new Error('a plan names at least one model');
  return attempt(entry, []);
}

/**
 * A provider's failure, or a request that this model cannot take, may go better with another model.
 * Too large is too large everywhere, and the gateway's own troubles are the same for all.
 */
function mayWorkElsewhere(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.status === 413) return false;
  return error.details.upstream !== undefined || error.status === 400;
}
