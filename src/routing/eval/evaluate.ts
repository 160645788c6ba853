import { expectedCost } from '../expected-cost.js';
import { beliefsOf } from '../priced-prior.js';
import { type QualityPrior } from '../quality-prior.js';
import { rankModels } from '../rank-models.js';
import { type RequestShape, shapeOf } from '../request-shape.js';
import { type EvaluatedModel } from './candidates-file.js';
import { areaUnder, hull, type Point } from './curve.js';
import { type OutcomeRow } from './outcome-rows.js';

/** What a way to choose comes to. */
export interface Result extends Point {
  readonly name: string;
}

export interface DialResult extends Point {
  readonly dial: number;
  /** How often each model was chosen, the most frequent first. */
  readonly chosen: readonly (readonly [model: string, share: number])[];
}

export interface Evaluation {
  readonly rows: number;
  /** Share of the costs that the rows did not tell, so that they were estimated from the prices. */
  readonly estimatedCosts: number;
  readonly dials: readonly DialResult[];
  /** Models that have an outcome on every row, the best first. */
  readonly singles: readonly Result[];
  /** Models that are without an outcome on some rows. */
  readonly partly: readonly string[];
  /** Models that no row knows. */
  readonly absent: readonly string[];
  readonly baselines: readonly Result[];
  readonly oracle: readonly Point[];
  /** By name: of the router, each single model and each baseline. */
  readonly areas: ReadonlyMap<string, number>;
}

/** A row with the candidates that have an outcome on it. */
interface Question {
  readonly shape: RequestShape;
  readonly answers: readonly Answer[];
}

interface Answer extends Point {
  readonly candidate: EvaluatedModel;
}

/** Positions of the dial that are tried; where two of them choose differently, those between them too. */
const DIALS = Array.from({ length: 101 }, (_, index) => index / 10);
const BETWEEN = Array.from({ length: 9 }, (_, index) => (index + 1) / 100);

/** Lets the router choose on every row and compares it with ways to choose that know less or more. */
export function evaluate(
  rows: readonly OutcomeRow[],
  candidates: readonly EvaluatedModel[],
  prior: QualityPrior,
): Evaluation {
  const costs = { told: 0, estimated: 0 };
  const questions = rows
    .map((row) => questionOf(row, candidates, prior, costs))
    .filter(({ answers }) => answers.length > 0);
  if (questions.length === 0) throw nothingToCompare(rows);
  const singles = candidates
    .flatMap((candidate) => singleOf(candidate, questions) ?? [])
    .sort((one, other) => other.score - one.score || one.cost - other.cost);
  const complete = new Set(singles.map(({ name }) => name));
  const met = new Set(
    questions.flatMap(({ answers }) => answers.map(({ candidate }) => candidate)),
  );
  const idOf = ({ model }: EvaluatedModel) => model.id;
  const dials = dialResults((dial) => routed(questions, candidates, prior, dial));
  const oracle = oracleOf(questions);
  const baselines = [
    { name: 'random', ...mean(questions, ({ answers }) => average(answers)) },
    { name: 'price only', ...mean(questions, cheapest) },
  ];
  return {
    rows: questions.length,
    estimatedCosts: costs.estimated / Math.max(1, costs.told + costs.estimated),
    dials,
    singles,
    partly: [...met].map(idOf).filter((id) => !complete.has(id)),
    absent: candidates.filter((candidate) => !met.has(candidate)).map(idOf),
    baselines,
    oracle,
    areas: areasOf({ dials, singles, baselines, oracle }),
  };
}

const MOST_NAMED = 10;

function nothingToCompare(rows: readonly OutcomeRow[]): Error {
  const names = [...new Set(rows.flatMap(({ outcomes }) => [...outcomes.keys()]))];
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const known = names.length > 0 ? `${names.slice(0, MOST_NAMED).join(', ')}${more}` : 'no model';
  const message = 'none of the candidates has an outcome in the rows: are the names the same?';
  return new Error(`${message} The rows know ${known}.`);
}

function questionOf(
  { prompt, outcomes }: OutcomeRow,
  candidates: readonly EvaluatedModel[],
  { answerTokens }: QualityPrior,
  costs: { told: number; estimated: number },
): Question {
  const shape = shapeOf({ messages: [{ role: 'user', content: prompt }] });
  const answers = candidates.flatMap((candidate): Answer[] => {
    const name = candidate.names.find((one) => outcomes.has(one));
    const outcome = name === undefined ? undefined : outcomes.get(name);
    if (!outcome) return [];
    costs[outcome.costUsd === undefined ? 'estimated' : 'told'] += 1;
    const tokens = { input: Math.ceil(prompt.length / 4), output: answerTokens[shape.task] };
    const cost = outcome.costUsd ?? expectedCost(candidate.model.pricing, tokens);
    return [{ candidate, score: outcome.score, cost }];
  });
  return { shape, answers };
}

function dialResults(at: (dial: number) => DialResult): readonly DialResult[] {
  const tenths = DIALS.map(at);
  return tenths.flatMap((one, index) => {
    const next = tenths[index + 1];
    const isSame = !next || (one.score === next.score && one.cost === next.cost);
    if (isSame) return [one];
    return [one, ...BETWEEN.map((step) => at(Math.round(100 * (one.dial + step)) / 100))];
  });
}

/** What the router comes to at a position of its dial. */
function routed(
  questions: readonly Question[],
  candidates: readonly EvaluatedModel[],
  prior: QualityPrior,
  dial: number,
): DialResult {
  const beliefs = beliefsOf(
    candidates.map(({ model }) => model),
    prior,
  );
  const knowledge = {
    believed: ({ id }: { readonly id: string }) => beliefs.get(id),
    prior,
    latencyMs: () => null,
    isHealthy: () => true,
  };
  const counts = new Map<string, number>();
  const point = mean(questions, ({ shape, answers }) => {
    const targets = answers.map((answer) => ({ model: answer.candidate.model, answer }));
    const { ranked } = rankModels(targets, { shape, stream: false, dial }, knowledge);
    const chosen = ranked[0]?.target.answer ?? { score: 0, cost: 0 };
    const name = ranked[0]?.model ?? 'none';
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return chosen;
  });
  const chosen = [...counts]
    .map(([model, count]) => [model, count / questions.length] as const)
    .sort(([, one], [, other]) => other - one);
  return { dial, ...point, chosen };
}

function singleOf(candidate: EvaluatedModel, questions: readonly Question[]): Result | undefined {
  const own = ({ answers }: Question) => answers.find((answer) => answer.candidate === candidate);
  if (!questions.every(own)) return undefined;
  return { name: candidate.model.id, ...mean(questions, (question) => own(question) ?? NOTHING) };
}

const NOTHING: Point = { score: 0, cost: 0 };
/** What a dollar is worth to those who know every outcome; one of them is the best at any budget. */
const ORACLE_WEIGHTS = [
  0,
  ...Array.from({ length: 40 }, (_, index) => 10 ** (index / 5 - 2)),
  Infinity,
];

function oracleOf(questions: readonly Question[]): readonly Point[] {
  return ORACLE_WEIGHTS.map((weight) => {
    const worth = ({ score, cost }: Point) => (weight === Infinity ? -cost : score - weight * cost);
    return mean(questions, ({ answers }) =>
      answers.reduce((best, one) => {
        const difference = worth(one) - worth(best);
        return difference > 0 || (difference === 0 && one.cost < best.cost) ? one : best;
      }),
    );
  });
}

function cheapest({ answers, shape }: Question): Point {
  const price = ({ candidate: { model } }: Answer) =>
    expectedCost(model.pricing, { input: shape.inputTokens, output: shape.inputTokens });
  return answers.reduce((least, one) => (price(one) < price(least) ? one : least));
}

function areasOf({
  dials,
  singles,
  baselines,
  oracle,
}: Pick<Evaluation, 'dials' | 'singles' | 'baselines' | 'oracle'>): ReadonlyMap<string, number> {
  const [best] = singles;
  if (!best) return new Map();
  const anchor = singles.reduce((least, one) => (one.cost < least.cost ? one : least));
  const range = { least: anchor.cost, most: best.cost };
  const area = (points: readonly Point[]) => areaUnder(points, anchor, range);
  return new Map([
    ['router', area(dials)],
    ['oracle', area(oracle)],
    ['best mix of single models', area(hull(singles))],
    ...[...singles, ...baselines].map((one): [string, number] => [one.name, area([one])]),
  ]);
}

function mean(questions: readonly Question[], choose: (question: Question) => Point): Point {
  return average(questions.map(choose));
}

function average(points: readonly Point[]): Point {
  const sum = points.reduce(
    (total, { score, cost }) => ({ score: total.score + score, cost: total.cost + cost }),
    NOTHING,
  );
  return { score: sum.score / points.length, cost: sum.cost / points.length };
}
