import { type Candidate } from '../contract/candidate.js';
import { type Model } from '../contract/model.js';
import { type Units } from '../contract/money.js';
import { type Target } from '../providers/provider.js';
import { expectedCost } from './expected-cost.js';
import { type DropReason, missing } from './hard-filters.js';
import { type Learned } from './learned.js';
import { type Qualities, type QualityPrior } from './quality-prior.js';
import { type Contender, MIDDLE_OF_DIAL, rank, type Ranked } from './rank.js';
import { type RequestShape } from './request-shape.js';

/** A model that was left out, and why. */
export interface Dropped {
  readonly model: string;
  readonly reason: DropReason;
}

/** What models are weighed for. */
interface WeighingTask<T = Target> {
  readonly shape: RequestShape;
  readonly stream: boolean;
  /** What the account's feedback has taught; absent for nothing. */
  readonly learned?: Learned | undefined;
  /** What there is for the call, and the most that it may cost; absent without a limit. */
  readonly budget?: Budget<T> | undefined;
}

/** What is to be ranked, and by what. */
export interface RankingTask<T = Target> extends WeighingTask<T> {
  /** 0 to 10; absent in the middle. */
  readonly dial?: number | undefined;
}

/** What there is for a call, and the most that it would cost on a model. */
export interface Budget<T> {
  readonly left: Units;
  readonly worstCase: (target: T) => Units;
}

/** What is known of models. */
export interface Knowledge<T> {
  readonly believed: (model: Model) => Qualities | undefined;
  readonly prior: Pick<QualityPrior, 'answerTokens' | 'usualLength'>;
  /** Null where it is not known. */
  readonly latencyMs: (model: Model) => number | null;
  readonly isHealthy: (target: T) => boolean;
  /** Whether others are better asked first. */
  readonly isFailing: (model: Model) => boolean;
}

/** A model that can take a request. */
type RankedModel<T = Target> = Ranked<Contender & { readonly target: T }> & {
  /** It has not answered lately. */
  readonly failing?: true;
};

/** The models that can take a request, and those that cannot. */
export interface Ranking<T = Target> {
  /** The best first; behind them those that have failed lately. */
  readonly ranked: readonly RankedModel<T>[];
  readonly dropped: readonly Dropped[];
}

/** Leaves out the models that cannot take a request, and ranks the others. */
export function rankModels<T extends { readonly model: Model }>(
  targets: readonly T[],
  task: RankingTask<T>,
  knowledge: Knowledge<T>,
): Ranking<T> {
  const { contenders, dropped } = contendersFor(targets, task, knowledge);
  const ranked = rank(contenders, task.dial ?? MIDDLE_OF_DIAL);
  return {
    ranked: failingLast(ranked, ({ target }) => knowledge.isFailing(target.model)),
    dropped,
  };
}

/** Their order is kept, and where all fail nothing changes but the mark. */
function failingLast<M extends object>(
  ranked: readonly M[],
  isFailing: (one: M) => boolean,
): readonly (M & { readonly failing?: true })[] {
  const failing = ranked.filter(isFailing).map((one) => ({ ...one, failing: true as const }));
  return failing.length === 0 ? ranked : [...ranked.filter((one) => !isFailing(one)), ...failing];
}

/**
 * The models that can take a request, with what is expected of each, and those that cannot: all that is
 * ranked by, whatever the dial is.
 */
export function contendersFor<T extends { readonly model: Model }>(
  targets: readonly T[],
  task: WeighingTask<T>,
  knowledge: Knowledge<T>,
): {
  readonly contenders: readonly (Contender & { readonly target: T })[];
  readonly dropped: readonly Dropped[];
} {
  const dropped: Dropped[] = [];
  const able = targets.filter((target) => {
    const { model } = target;
    const reason = missing(model, task.shape) ?? unaffordable(target, task);
    if (reason) dropped.push({ model: model.id, reason });
    return reason === undefined;
  });
  const ill = able.filter((target) => !knowledge.isHealthy(target));
  // Where nobody is well, somebody has to be tried.
  const left = ill.length < able.length ? new Set(ill) : new Set<T>();
  for (const { model } of left) dropped.push({ model: model.id, reason: 'unhealthy' });
  const contenders = able
    .filter((target) => !left.has(target))
    .map((target) => contender(target, task, knowledge));
  return {
    contenders: stretch(contenders, stretchOf(task.shape, knowledge.prior)),
    dropped,
  };
}

/** A long question tells models apart better than a short one, which most can answer. */
const STRETCH_POWER = 0.7;
const LEAST_STRETCH = 0.5;
const MOST_STRETCH = 1.6;

function stretchOf(
  { task, questionLength }: RequestShape,
  { usualLength }: Pick<QualityPrior, 'usualLength'>,
): number {
  const usual = usualLength[task];
  if (usual === undefined) return 1;
  const power = (questionLength / usual) ** STRETCH_POWER;
  return Math.min(MOST_STRETCH, Math.max(LEAST_STRETCH, power));
}

/** Sets the others so much further off from the best, or nearer to it. */
function stretch<C extends Contender>(contenders: readonly C[], factor: number): readonly C[] {
  if (factor === 1) return contenders;
  const best = contenders.reduce((most, { quality }) => Math.max(most, quality), 0);
  return contenders.map((contender) => ({
    ...contender,
    quality: Math.max(0, best - factor * (best - contender.quality)),
  }));
}

function contender<T extends { readonly model: Model }>(
  target: T,
  { shape, learned }: WeighingTask<T>,
  { believed, prior, latencyMs }: Knowledge<T>,
): Contender & { readonly target: T } {
  const { task, inputTokens: input, mostOutput } = shape;
  const { model } = target;
  const qualities = believed(model);
  const typical = prior.answerTokens[task];
  return {
    target,
    model: model.id,
    quality: qualities ? (learned?.(model, task, qualities) ?? qualities[task]) : 0,
    price: expectedCost(model.pricing, { input, output: Math.min(typical, mostOutput ?? typical) }),
    latencyMs: latencyMs(model),
  };
}

function unaffordable<T>(target: T, { budget }: WeighingTask<T>): 'credit' | undefined {
  if (!budget) return undefined;
  const most = budget.worstCase(target);
  // What costs nothing is served also when more was spent than there was.
  return most > 0n && most > budget.left ? 'credit' : undefined;
}

/** What the router made of each model, for the caller. */
export function candidatesOf({ ranked, dropped }: Ranking): readonly Candidate[] {
  return [
    ...ranked.map(({ model, score, failing }) => ({
      model,
      score: rounded(score),
      ...(failing && { failing }),
    })),
    ...dropped.map(({ model, reason }) => ({ model, score: null, dropped: reason })),
  ];
}

/** Without the dust of floating point. */
export function rounded(number: number): number {
  return Number(number.toPrecision(6));
}
