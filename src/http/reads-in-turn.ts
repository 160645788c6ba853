import { type FirstStep } from './before-express.js';
import { pathOf } from './path-of.js';

/** What only reads, and makes no call. */
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Where rounds are long, one read begins for so much of each: they are not to wait for ever. */
const MS_A_READ = 4;

/**
 * Has one request that only reads begin in each round of the event loop, more where rounds are long:
 * documentation, lists and pages have no limit or a high one, and a call comes round six times, each time
 * behind all of them that have come in meanwhile. Health checks do not wait: where they are late, the process
 * may be ended.
 */
export function readsInTurn(): FirstStep {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let begunAt = 0;
  const take = (): void => {
    isTaken = true;
    begunAt = performance.now();
    setImmediate(nextRound);
  };
  const nextRound = (): void => {
    isTaken = false;
    if (waiting.length === 0) return;
    const beginning = waiting.splice(0, Math.max(1, (performance.now() - begunAt) / MS_A_READ));
    take();
    for (const begin of beginning) begin();
  };
  return (request, response, next) => {
    if (!READS.has(request.method ?? '') || pathOf(request).startsWith('/health/')) {
      next();
    } else if (isTaken) {
      waiting.push(() => {
        // Its caller may have left, or the process was stopped meanwhile.
        if (!response.closed && !response.writableEnded) next();
      });
    } else {
      take();
      next();
    }
  };
}
