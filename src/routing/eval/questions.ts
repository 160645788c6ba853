import { expectedCost } from '../expected-cost.js';
import { type QualityPrior } from '../quality-prior.js';
import { type RequestShape, shapeOf } from '../request-shape.js';
import { type EvaluatedModel } from './candidates-file.js';
import { commonGround } from './common-ground.js';
import { type Point } from './curve.js';
import { type OutcomeRow } from './outcome-rows.js';

/** A row with the candidates that have an outcome on it. */
export interface Question {
  readonly shape: RequestShape;
  readonly answers: readonly Answer[];
}

/** What choosing a model for a question comes to. */
export interface Answer extends Point {
  readonly candidate: EvaluatedModel;
  /** The row does not tell the cost. */
  readonly isEstimated: boolean;
}

/** Questions that the same models have answered, all of them. */
export interface Part {
  readonly questions: readonly Question[];
  readonly leftOut: {
    readonly lacking: number;
    readonly unknown: number;
    /** The models that these rows lack, and on how many of them. */
    readonly missed: ReadonlyMap<EvaluatedModel, number>;
  };
  /** The other models, and how many of the questions they have answered. */
  readonly partly: ReadonlyMap<EvaluatedModel, number>;
}

/**
 * A row as a question, with the candidates that it knows; a cost that it does not tell is estimated
 * from the prices.
 */
export function questionOf(
  { prompt, outcomes }: OutcomeRow,
  candidates: readonly EvaluatedModel[],
  { answerTokens }: QualityPrior,
): Question {
  const shape = shapeOf({ messages: [{ role: 'user', content: prompt }] });
  const answers = candidates.flatMap((candidate): Answer[] => {
    const name = candidate.names.find((one) => outcomes.has(one));
    const outcome = name === undefined ? undefined : outcomes.get(name);
    if (!outcome) return [];
    const tokens = { input: Math.ceil(prompt.length / 4), output: answerTokens[shape.task] };
    const cost = outcome.costUsd ?? expectedCost(candidate.model.pricing, tokens);
    return [{ candidate, score: outcome.score, cost, isEstimated: outcome.costUsd === undefined }];
  });
  return { shape, answers };
}

/** Questions that are a smaller share of all are no part of their own. */
const LEAST_PART = 0.05;

/**
 * The questions with the models that can be compared on them. What has the answers of fewer than half
 * of these is another part; what has those of most of them, but not of all, is left out.
 */
export function partsOf(all: readonly Question[]): readonly Part[] {
  const parts: Part[] = [];
  const known = all.filter(({ answers }) => answers.length > 0);
  const unknown = all.length - known.length;
  let left = known;
  while (left.length > 0 && left.length >= LEAST_PART * known.length) {
    const models = commonGround(left.map(candidatesOf));
    // What only one model knows is compared only where there is nothing else.
    if (models.size < 2 && parts.length > 0) break;
    const of = ({ answers }: Question) => answers.filter(({ candidate }) => models.has(candidate));
    const questions = left.flatMap(({ shape, answers }) => {
      const kept = of({ shape, answers });
      return kept.length === models.size ? [{ shape, answers: kept }] : [];
    });
    const partly = counted(left, (candidates) => without(candidates, models));
    const missed = counted(left, (candidates) => without(models, candidates));
    const lacking = left.length - questions.length;
    parts.push({ questions, leftOut: { lacking, unknown, missed }, partly });
    left = left.filter((question) => 2 * of(question).length < models.size);
  }
  return parts;
}

/** How often each model is among those that are picked. */
function counted(
  questions: readonly Question[],
  pick: (candidates: ReadonlySet<EvaluatedModel>) => readonly EvaluatedModel[],
): ReadonlyMap<EvaluatedModel, number> {
  const groups = Map.groupBy(
    questions.flatMap((question) => pick(candidatesOf(question))),
    (candidate) => candidate,
  );
  return new Map([...groups].map(([candidate, all]) => [candidate, all.length]));
}

function without<T>(all: ReadonlySet<T>, others: ReadonlySet<T>): readonly T[] {
  return [...all].filter((one) => !others.has(one));
}

function candidatesOf({ answers }: Question): ReadonlySet<EvaluatedModel> {
  return new Set(answers.map(({ candidate }) => candidate));
}
