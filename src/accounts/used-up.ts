import { type UsedUp } from '../http/gateway-request.js';
import { type Standing } from './limit.js';
import { tooMany } from './rate-headers.js';

/**
 * What a refusal says of the calls after it: the window that ends last keeps them all out. Undefined
 * where none is used up, since the calls that run may end at any time.
 */
export function usedUp(
  standings: readonly Standing[],
  now = performance.now(),
): UsedUp | undefined {
  const [longest] = standings
    .filter(({ counts, used, limit }) => counts !== 'calls' && used >= limit)
    .toSorted((one, other) => other.msLeft - one.msLeft);
  if (!longest) return undefined;
  const until = now + longest.msLeft;
  const refusal: UsedUp['refusal'] = (path) =>
    tooMany(path, [{ ...longest, msLeft: until - performance.now() }]);
  return { until, refusal };
}
