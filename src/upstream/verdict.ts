import { isFailedStatus } from '../contract/failed-status.js';
import { GatewayError } from '../contract/gateway-error.js';

/**
 * What a call said of its model: `neither` for one that its caller left. One that `refuses` works, however
 * long it took to say so: a limit may be waited for.
 */
export type Verdict = 'works' | 'refuses' | 'fails' | 'neither';

/** Judges the calls of a model by what is known of the deployments that have it. */
export interface Judge {
  /** What a call says of its model in the end; asked once for each call. */
  verdict(said: Verdict): Verdict;
  /** Whether a deployment serves it that does not fail: then the model fails nobody for long. */
  isServed(): boolean;
}

/** Of a provider with one key and address: each call stands for itself. */
export const OF_ONE: Judge = { verdict: (said) => said, isServed: () => false };

/**
 * What an error says of the model. Its own failures count: no answer, a 5xx, and a 200 that is no
 * answer. Refusals and limits do not.
 */
export function verdictOf(error: unknown): Verdict {
  if (!(error instanceof GatewayError)) return 'neither';
  const { upstream } = error.details;
  if (!upstream) return 'neither';
  if (upstream.hasSpoken) return 'refuses';
  // With 200 an image may have been refused for what it shows, which is the caller's to change.
  const isNoAnswer = upstream.status < 400 && error.status >= 500;
  // A time limit of the provider's own is one with 408, too.
  const isFailure = isNoAnswer || isFailedStatus(upstream.status) || error.status === 504;
  return isFailure ? 'fails' : 'refuses';
}
