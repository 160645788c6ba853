import { type Deployment } from '../providers/deployment.js';

/** How many turns one may make up for, whose round was full when they came, or which rested. */
const KEPT = 2;

/** What one of several has to do, and has had. */
export interface Load {
  /** Calls that run. */
  readonly running: number;
  /** When its last turn ended, in calls for a weight of one; `-Infinity` before its first. */
  turnEnd: number;
}

/**
 * One of those with the fewest running calls for their weight; undefined for none. A round is one call for the
 * smallest weight, and for a weight that is n times as large n calls, a fraction by chance. Those with the
 * fewest full rounds take turns by weight: calls that come one after the other are shared exactly, and a slow
 * deployment gets fewer. Who begins is chance, so that not all processes begin with the same one.
 *
 * @param loadOf what one has to do; the turn of the one that is chosen is noted there.
 * @param random from 0 up to 1.
 */
export function byLoad(
  from: readonly Deployment[],
  loadOf: (deployment: Deployment) => Load,
  random: () => number,
): Deployment | undefined {
  const smallest = Math.min(...from.map(({ weight }) => weight));
  const all = from.map((one) => {
    const share = one.weight / smallest;
    const part = Number.isInteger(share) ? 0 : random();
    return { one, full: Math.floor((loadOf(one).running + part) / share) };
  });
  const fewest = Math.min(...all.map(({ full }) => full));
  const open = all.filter(({ full }) => full === fewest).map(({ one }) => one);
  return inTurn(open, beganLast(from, loadOf), loadOf, random);
}

/** When the last turn of any of them began. */
function beganLast(from: readonly Deployment[], loadOf: (deployment: Deployment) => Load): number {
  return Math.max(0, ...from.map((one) => loadOf(one).turnEnd - 1 / one.weight));
}

/**
 * The one whose next turn ends first, as in fair queueing, of equal ones the heaviest:
 * https://doi.org/10.1145/75246.75248
 */
function inTurn(
  open: readonly Deployment[],
  now: number,
  loadOf: (deployment: Deployment) => Load,
  random: () => number,
): Deployment | undefined {
  const ends = open.map((one) => {
    const load = loadOf(one);
    if (load.turnEnd === -Infinity) load.turnEnd = now;
    return Math.max(now - KEPT / one.weight, load.turnEnd) + 1 / one.weight;
  });
  const next = Math.min(...ends);
  const due = open.filter((_, at) => ends[at] === next);
  const heaviest = Math.max(...due.map(({ weight }) => weight));
  const equal = due.filter(({ weight }) => weight === heaviest);
  const chosen = equal[Math.floor(random() * equal.length)];
  if (chosen) loadOf(chosen).turnEnd = next;
  return chosen;
}
