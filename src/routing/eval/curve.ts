/** What a way to choose comes to on average. */
export interface Point {
  /** USD a request. */
  readonly cost: number;
  /** 0 to 1. */
  readonly score: number;
}

/**
 * The mean of the best score that a budget buys, over all budgets between two. Two ways to choose may
 * be mixed, so the curve is the upper hull of the points; `anchor` is what the least budget buys. Where
 * there is no budget but one, the best score.
 */
export function areaUnder(
  points: readonly Point[],
  anchor: Point,
  { least, most }: { readonly least: number; readonly most: number },
): number {
  if (most <= least) return Math.max(...points.map(({ score }) => score));
  const corners = hull([anchor, ...points]);
  const inside = corners.map(({ cost }) => cost).filter((cost) => cost > least && cost < most);
  const costs = [least, ...inside, most];
  let area = 0;
  for (const [index, cost] of costs.entries()) {
    const next = costs[index + 1];
    if (next === undefined) break;
    area += ((next - cost) * (scoreAt(corners, cost) + scoreAt(corners, next))) / 2;
  }
  return area / (most - least);
}

/** The corners of the rising upper hull, by cost. */
export function hull(points: readonly Point[]): readonly Point[] {
  const sorted = points.toSorted((one, other) => one.cost - other.cost || other.score - one.score);
  const corners: Point[] = [];
  for (const point of sorted) {
    const last = corners.at(-1);
    if (last && point.score <= last.score) continue;
    while (corners.length > 1 && isBelow(corners.at(-2), corners.at(-1), point)) corners.pop();
    corners.push(point);
  }
  return corners;
}

/** Whether the middle one of three lies on or below the line between the others. */
function isBelow(one: Point | undefined, middle: Point | undefined, other: Point): boolean {
  if (!one || !middle) return false;
  const slope = (other.score - one.score) * (middle.cost - one.cost);
  return (middle.score - one.score) * (other.cost - one.cost) <= slope;
}

function scoreAt(corners: readonly Point[], cost: number): number {
  const after = corners.findIndex((corner) => corner.cost > cost);
  if (after < 0) return corners.at(-1)?.score ?? 0;
  const before = corners[after - 1];
  const next = corners[after];
  if (!before || !next) return next?.score ?? 0;
  const way = (cost - before.cost) / (next.cost - before.cost);
  return before.score + way * (next.score - before.score);
}
