import { type Evaluation } from './evaluate.js';

/** Goals that the summary is about: so much of the best model's quality, for so much of its cost. */
const GOAL_QUALITY = 0.95;
const GOAL_COST = 0.07;

/** The evaluations as text for a terminal. */
export function reportOf(evaluations: readonly Evaluation[]): string {
  const apart = 'rows that know different models are compared apart';
  return evaluations
    .map((one, index) => {
      const heading = `part ${index + 1} of ${evaluations.length}: ${apart}\n`;
      return `${evaluations.length > 1 ? heading : ''}${partOf(one)}`;
    })
    .join('\n');
}

function partOf(evaluation: Evaluation): string {
  const { rows, estimatedCosts, dials, singles, absent, baselines, areas } = evaluation;
  const [best] = singles;
  const line = (name: string, { score, cost }: { score: number; cost: number }, more = '') =>
    [
      name.padEnd(34),
      score.toFixed(4).padStart(7),
      of(score, best?.score).padStart(8),
      (cost * 1000).toFixed(4).padStart(10),
      of(cost, best?.cost).padStart(8),
      areas.get(name)?.toFixed(4).padStart(8) ?? ''.padStart(8),
      more,
    ].join(' ');
  const heading = [
    ''.padEnd(34),
    'score'.padStart(7),
    'of best'.padStart(8),
    'USD/1000'.padStart(10),
    'of best'.padStart(8),
    'area'.padStart(8),
  ].join(' ');
  return [
    `${rows} rows, ${singles.length} models; ${percent(estimatedCosts)} of the costs are estimated from the prices`,
    ...leftOutOf(evaluation),
    `best single model: ${best?.name ?? 'none'}`,
    '',
    heading,
    ...dials.filter(isShown).map((dial) =>
      line(
        `dial ${dial.dial}`,
        dial,
        dial.chosen
          .slice(0, 3)
          .map(([model, share]) => `${model} ${percent(share)}`)
          .join(', '),
      ),
    ),
    '',
    `area under the router's curve (AUC) ${areas.get('router')?.toFixed(4) ?? '–'}; best mix of single ` +
      `models, chosen after the fact ${areas.get('best mix of single models')?.toFixed(4) ?? '–'}; ` +
      `oracle ${areas.get('oracle')?.toFixed(4) ?? '–'}`,
    ...baselines.map((one) => line(one.name, one)),
    line('oracle', highest(evaluation)),
    ...singles.map((one) => line(one.name, one)),
    ...(absent.length > 0 ? [`on no row: ${absent.join(', ')}`] : []),
    '',
    summaryOf(evaluation),
    '',
  ].join('\n');
}

/** What is not compared, as lines. */
function leftOutOf({ rows, leftOut, partly }: Evaluation): string[] {
  const { lacking, unknown, missed } = leftOut;
  const without = missed.map((one) => `${one.name} on ${one.rows}`);
  const all = rows + lacking;
  const models = partly.map((one) => `${one.name} (on ${one.rows} of ${all} rows)`);
  return [
    ...(unknown > 0 ? [`rows left out, with an outcome of no candidate: ${unknown}`] : []),
    ...(lacking > 0
      ? [`rows left out, without an outcome of each model: ${lacking} (${without.join(', ')})`]
      : []),
    ...(models.length > 0 ? [`models left out: ${models.join(', ')}`] : []),
  ];
}

/** Every half step; the summary knows the hundredths between them too. */
function isShown({ dial }: { readonly dial: number }): boolean {
  return Number.isInteger(2 * dial);
}

function highest({ oracle }: Evaluation) {
  return oracle.reduce((top, one) => (one.score > top.score ? one : top));
}

function summaryOf({ dials, singles }: Evaluation): string {
  const [best] = singles;
  if (!best) return '';
  const good = dials.filter(({ score }) => score >= GOAL_QUALITY * best.score);
  const least = good.toSorted((one, other) => one.cost - other.cost)[0];
  const cheap = dials.filter(({ cost }) => cost <= GOAL_COST * best.cost);
  const most = cheap.toSorted((one, other) => other.score - one.score)[0];
  return [
    least
      ? `${percent(GOAL_QUALITY)} of the best model's quality: dial ${least.dial} has ` +
        `${of(least.score, best.score)} at ${of(least.cost, best.cost)} of its cost`
      : `${percent(GOAL_QUALITY)} of the best model's quality: at no dial position`,
    most
      ? `${percent(GOAL_COST)} of the best model's cost: dial ${most.dial} has ` +
        `${of(most.score, best.score)} of its quality at ${of(most.cost, best.cost)}`
      : `${percent(GOAL_COST)} of the best model's cost: at no dial position`,
  ].join('\n');
}

/** Nothing has a share of nothing. */
function of(value: number, whole: number | undefined): string {
  return whole === undefined || whole === 0 ? '–' : percent(value / whole);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
