import { type GatewayError } from '../contract/gateway-error.js';
import { isKeyRefused } from './refused-key.js';
import { LONGEST_REST_MS } from './shared-rests.service.js';

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
