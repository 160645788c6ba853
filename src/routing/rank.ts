/** A model that can take the request, with what is expected of it. */
export interface Contender {
  readonly model: string;
  /** Expected share of such requests done well, 0 to 1. */
  readonly quality: number;
  /** Expected cost in USD. */
  readonly price: number;
  /** Milliseconds that it has taken lately; null where that is not known. */
  readonly latencyMs: number | null;
}

/** A contender and its score, which says something within one request only. */
export type Ranked<T> = T & { readonly score: number };

/** Where quality and cost weigh alike for most work. */
export const MIDDLE_OF_DIAL = 5;

/**
 * The contenders, the best first: `score = quality − weight × price ÷ reference − slowness`. The
 * reference is what top quality costs here, the mean price of those near the best. At 0 of the dial only
 * quality counts, at 10 only the price. Equal contenders stand by price, quality and name, so that equal
 * requests go the same way.
 *
 * @param dial 0 to 10.
 */
export function rank<T extends Contender>(contenders: readonly T[], dial: number): Ranked<T>[] {
  const scoreOf = scoresAmong(contenders)(dial);
  return contenders
    .map((contender) => ({ ...contender, score: scoreOf(contender) }))
    .sort((one, other) => order(other.score, one.score) || inOrder(one, other));
}

/** The first of the ranking at any position of the dial, without the work for the others. */
export function bestAmong<T extends Contender>(
  contenders: readonly T[],
): (dial: number) => T | undefined {
  const scoresAt = scoresAmong(contenders);
  return (dial) => {
    const scoreOf = scoresAt(dial);
    let best: T | undefined;
    let most = -Infinity;
    for (const contender of contenders) {
      const score = scoreOf(contender);
      if (score < most || (score === most && best && inOrder(best, contender) < 0)) continue;
      [best, most] = [contender, score];
    }
    return best;
  };
}

/** What each of the contenders scores beside the others, at any position of the dial. */
function scoresAmong(contenders: readonly Contender[]) {
  const reference = priceOfTopQuality(contenders);
  const usualMs = median(contenders.flatMap(({ latencyMs }) => latencyMs ?? []));
  return (dial: number): ((contender: Contender) => number) => {
    const weight = weightOf(dial);
    return ({ quality, price, latencyMs }) => {
      const relative = reference === 0 ? 0 : price / reference;
      if (dial >= 10) return -relative;
      if (dial <= 0) return quality;
      return quality - weight * relative - slownessOf(latencyMs, usualMs);
    };
  };
}

/** Of contenders with equal scores. */
function inOrder(one: Contender, other: Contender): number {
  return (
    order(one.price, other.price) ||
    order(other.quality, one.quality) ||
    (one.model < other.model ? -1 : 1)
  );
}

/** A whole number, which unlike a difference takes no memory: the list is sorted for each request. */
function order(one: number, other: number): number {
  return one < other ? -1 : Number(one > other);
}

/** What the whole price of top quality weighs in the middle, in points of quality. */
const MIDDLE_WEIGHT = 0.35;
/** A step of the dial makes the price this much heavier. */
const STEP = 2.3;

function weightOf(dial: number): number {
  return MIDDLE_WEIGHT * STEP ** (dial - MIDDLE_OF_DIAL);
}

/** A model so much worse than the best counts a third as much for what top quality costs. */
const NEAR_THE_TOP = 0.01;

/**
 * The geometric mean of the prices, of which those near the best count most; so that neither a model
 * that is a little better for a hundred times the price, nor one that is free, decides it alone.
 */
function priceOfTopQuality(contenders: readonly Contender[]): number {
  const priced = contenders.filter(({ price }) => price > 0);
  const best = priced.reduce((most, { quality }) => Math.max(most, quality), 0);
  let sum = 0;
  let weights = 0;
  for (const { quality, price } of priced) {
    const weight = Math.exp((quality - best) / NEAR_THE_TOP);
    sum += weight * Math.log(price);
    weights += weight;
  }
  return weights === 0 ? 0 : Math.exp(sum / weights);
}

/** Twice as slow as usual is worth so many points of quality. */
const POINTS_A_DOUBLING = 0.02;
const MOST_DOUBLINGS = 2;

function slownessOf(latencyMs: number | null, usualMs: number | undefined): number {
  if (latencyMs === null || usualMs === undefined || usualMs <= 0) return 0;
  const doublings = Math.log2(Math.max(latencyMs, 1) / usualMs);
  return POINTS_A_DOUBLING * Math.max(-MOST_DOUBLINGS, Math.min(MOST_DOUBLINGS, doublings));
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}
