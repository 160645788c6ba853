import { expectedCost } from '../expected-cost.js';
import { beliefsOf } from '../priced-prior.js';
import { type QualityPrior } from '../quality-prior.js';
import { bestAmong, type Contender } from '../rank.js';
import { contendersFor } from '../rank-models.js';
import { type EvaluatedModel } from './candidates-file.js';
import { areaUnder, hull, type Point } from './curve.js';
import { type OutcomeRow } from './outcome-rows.js';
import { type Answer, type Part, partsOf, type Question, questionOf } from './questions.js';

/** What a way to choose comes to. */
interface Result extends Point {
  readonly name: string;
}

/** How the router did at one position of the dial. */
interface DialResult extends Point {
  readonly dial: number;
  /** How often each model was chosen, the most frequent first. */
  readonly chosen: readonly (readonly [model: string, share: number])[];
}

/** How all ways to choose did on the same rows. */
export interface Evaluation {
  readonly rows: number;
  /** Rows that lack one of the models, or all of the candidates. */
  readonly leftOut: {
    readonly lacking: number;
    readonly unknown: number;
    /** The models that the lacking ones lack, and on how many. */
    readonly missed: readonly { readonly name: string; readonly rows: number }[];
  };
  /** Share of the costs that the rows did not tell, so that they were estimated from the prices. */
  readonly estimatedCosts: number;
  readonly dials: readonly DialResult[];
  /** The models that are compared, the best first. */
  readonly singles: readonly Result[];
  /** Models that are left out, because too many rows lack them, and how many know them. */
  readonly partly: readonly { readonly name: string; readonly rows: number }[];
  /** Models that no row knows. */
  readonly absent: readonly string[];
  readonly baselines: readonly Result[];
  readonly oracle: readonly Point[];
  /** By name: of the router, each single model and each baseline. */
  readonly areas: ReadonlyMap<string, number>;
}

/** Positions of the dial that are tried; where two of them choose differently, those between them too. */
const DIALS = Array.from({ length: 101 }, (_, index) => index / 10);
const BETWEEN = Array.from({ length: 9 }, (_, index) => (index + 1) / 100);

/**
 * Lets the router choose on every row and compares it with ways to choose that know less or more. All
 * of them have the same models and the same rows; where rows know others altogether, these are compared
 * apart.
 *
 * @throws Error where the rows know none of the candidates.
 */
export function evaluate(
  rows: readonly OutcomeRow[],
  candidates: readonly EvaluatedModel[],
  prior: QualityPrior,
): readonly Evaluation[] {
  const questions = rows.map((row) => questionOf(row, candidates, prior));
  const parts = partsOf(questions);
  if (parts.length === 0) throw nothingToCompare(rows);
  const met = new Set(
    questions.flatMap(({ answers }) => answers.map(({ candidate }) => candidate)),
  );
  const absent = candidates.filter((candidate) => !met.has(candidate)).map(idOf);
  return parts.map((part) => ({ ...compare(part, candidates, prior), absent }));
}

function compare(
  { questions, partly, leftOut }: Part,
  candidates: readonly EvaluatedModel[],
  prior: QualityPrior,
): Omit<Evaluation, 'absent'> {
  const answers = questions.flatMap((question) => question.answers);
  const singles = candidates
    .flatMap((candidate) => singleOf(candidate, questions) ?? [])
    .sort((one, other) => other.score - one.score || one.cost - other.cost);
  const contests = contestsOf(questions, candidates, prior);
  const dials = dialResults((dial) => atDial(contests, dial));
  const oracle = oracleOf(questions);
  const baselines = [
    { name: 'random', ...mean(questions, (question) => average(question.answers)) },
    { name: 'price only', ...mean(questions, cheapest) },
  ];
  return {
    rows: questions.length,
    leftOut: { ...leftOut, missed: named(leftOut.missed) },
    estimatedCosts: answers.filter(({ isEstimated }) => isEstimated).length / answers.length,
    dials,
    singles,
    partly: named(partly),
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

function dialResults(at: (dial: number) => DialResult): readonly DialResult[] {
  const tenths = DIALS.map(at);
  return tenths.flatMap((one, index) => {
    const next = tenths[index + 1];
    const isSame = !next || (one.score === next.score && one.cost === next.cost);
    if (isSame) return [one];
    return [one, ...BETWEEN.map((step) => at(Math.round(100 * (one.dial + step)) / 100))];
  });
}

/** What the router chooses for a question at a position of the dial. */
type Contest = (
  dial: number,
) => (Contender & { readonly target: { readonly answer: Answer } }) | undefined;

function contestsOf(
  questions: readonly Question[],
  candidates: readonly EvaluatedModel[],
  prior: QualityPrior,
): readonly Contest[] {
  const beliefs = beliefsOf(
    candidates.map(({ model }) => model),
    prior,
  );
  const knowledge = {
    believed: ({ id }: { readonly id: string }) => beliefs.get(id),
    prior,
    latencyMs: () => null,
    isHealthy: () => true,
    isFailing: () => false,
  };
  return questions.map(({ shape, answers }) => {
    const targets = answers.map((answer) => ({ model: answer.candidate.model, answer }));
    // They are the same at all positions of the dial.
    return bestAmong(contendersFor(targets, { shape, stream: false }, knowledge).contenders);
  });
}

/** What the router comes to at a position of its dial. */
function atDial(contests: readonly Contest[], dial: number): DialResult {
  const counts = new Map<string, number>();
  const point = average(
    contests.map((chosenAt) => {
      const first = chosenAt(dial);
      const name = first?.model ?? 'none';
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return first?.target.answer ?? NOTHING;
    }),
  );
  const chosen = [...counts]
    .map(([model, count]) => [model, count / contests.length] as const)
    .sort(([, one], [, other]) => other - one);
  return { dial, ...point, chosen };
}

function named(counts: ReadonlyMap<EvaluatedModel, number>) {
  return [...counts].map(([candidate, rows]) => ({ name: idOf(candidate), rows }));
}

function idOf({ model }: EvaluatedModel): string {
  return model.id;
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
  // Where the cheapest model is the best one, money could still buy what the oracle knows.
  const dearest = best === anchor ? Math.max(...singles.map(({ cost }) => cost)) : best.cost;
  const range = { least: anchor.cost, most: dearest };
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
