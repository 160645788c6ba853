import { GatewayError } from '../contract/gateway-error.js';
import { isKeyRefused } from './refused-key.js';
import { LONGEST_REST_MS } from './shared-rests.service.js';
import { isLacked } from './spared-endpoints.js';

/** The least, whatever the `Retry-After`: else calls would go from one key that is used up to the next. */
export const SHORTEST_REST_MS = 1_000;

/** Milliseconds for which such a failure speaks against the deployment that answered so; undefined for none. */
export function restOf(error: GatewayError): number | undefined {
  const { upstream, retryAfter } = error.details;
  // It was not called, or not from here.
  if (upstream?.circuit || upstream?.unsent) return undefined;
  const asked =
    retryAfter === undefined
      ? undefined
      : Math.min(Math.max(SHORTEST_REST_MS, retryAfter * 1_000), LONGEST_REST_MS);
  if (isKeyRefused(error)) return LONGEST_REST_MS;
  switch (upstream?.status) {
    case 429:
      return asked ?? SHORTEST_REST_MS;
    case 503:
    case 529:
      return asked;
    default:
      return undefined;
  }
}

/**
 * The same failure; one that asks for a rest of the whole deployment, for none that is longer than this.
 *
 * @param purpose as in `isOfItsOwn`.
 */
export function noLaterThan(ms: number, error: GatewayError, purpose: string): GatewayError {
  const { status, code, message, details } = error;
  const seconds = Math.max(SHORTEST_REST_MS, ms) / 1_000;
  const isTold = restOf(error) !== undefined && !isOfItsOwn(error, purpose);
  if (!isTold || (details.retryAfter ?? 0) <= seconds) return error;
  return new GatewayError(status, code, message, { ...details, retryAfter: seconds });
}

/**
 * What takes the place of one's refusal, or of its word that it lacks the model, where others are used up;
 * undefined where none is.
 *
 * @param usedUpMs milliseconds for which each of them is; not more than 0 where it is not.
 */
export function usedUpBeside(
  error: GatewayError,
  usedUpMs: readonly number[],
): GatewayError | undefined {
  const ms = Math.min(...usedUpMs.filter((each) => each > 0));
  if (ms === Infinity || !(isKeyRefused(error) || isLacked(error))) return undefined;
  return new GatewayError(429, 'rate_limit_exceeded', 'The provider asks to be called later.', {
    retryAfter: Math.max(SHORTEST_REST_MS, ms) / 1_000,
    upstream: { status: 429 },
  });
}

/**
 * Whether such a failure speaks only against what was called for: counting tokens has limits of its own.
 * https://platform.claude.com/docs/en/build-with-claude/token-counting
 *
 * @param purpose as in `Deployments.choose`.
 */
export function isOfItsOwn(error: GatewayError, purpose: string): boolean {
  return purpose.startsWith(COUNTING) && !isKeyRefused(error);
}

const COUNTING = '/v1/messages/count_tokens ';
