import { type Deployment } from '../providers/deployment.js';

/**
 * One of those that have the fewest calls for their weight; undefined for none. A round is one call for the
 * smallest weight and as many more for the others, a part of a call by chance: while it is not full everywhere,
 * one is drawn by the calls that it has left in it. So the calls have the weights' shares however few
 * run, and a slow one gets fewer.
 *
 * @param runningOf how many calls one has.
 * @param random from 0 up to 1.
 */
export function byLoad(
  from: readonly Deployment[],
  runningOf: (deployment: Deployment) => number,
  random: () => number,
): Deployment | undefined {
  const smallest = Math.min(...from.map(({ weight }) => weight));
  const all = from.map((one) => {
    const share = one.weight / smallest;
    const running = runningOf(one);
    const part = Number.isInteger(share) ? 0 : random();
    const full = Math.floor((running + part) / share);
    return { one, full, free: (full + 1) * share - running };
  });
  const fewest = Math.min(...all.map(({ full }) => full));
  const open = all.filter(({ full }) => full === fewest);
  let left = random() * open.reduce((sum, { free }) => sum + free, 0);
  return (open.find(({ free }) => (left -= free) < 0) ?? open.at(-1))?.one;
}
