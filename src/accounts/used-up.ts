import { type UsedUp } from '../http/gateway-request.js';
import { type Standing } from './limit.js';
import { longestUsedUp, tooMany } from './rate-headers.js';

/**
 * What a refusal says of the calls after it: the window that is used up and ends last keeps them all out.
 * Undefined where only running calls were too many, which may end at any time.
 */
export function usedUp(
  standings: readonly Standing[],
  now = performance.now(),
): UsedUp | undefined {
  const longest = longestUsedUp(standings.filter(isWindow));
  if (!longest) return undefined;
  const until = now + longest.msLeft;
  const refusal: UsedUp['refusal'] = (path) =>
    tooMany(path, [{ ...longest, msLeft: until - performance.now() }]);
  return { until, counts: longest.counts, refusal };
}

function isWindow(standing: Standing): standing is Standing & Pick<UsedUp, 'counts'> {
  return standing.counts !== 'calls';
}
