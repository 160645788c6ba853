import { type Evaluation } from './evaluate.js';

/** Goals that the summary is about: so much of the best model's quality, for so much of its cost. */
const GOAL_QUALITY = 0.95;
const GOAL_COST = 0.07;

/** The evaluation as text for a terminal. */
export function reportOf(evaluation: Evaluation): string {
  const { rows, estimatedCosts, dials, singles, partly, absent, baselines, areas } = evaluation;
  const [best] = singles;
  const of = (value: number, whole: number | undefined) =>
    whole === undefined || whole === 0 ? '–' : percent(value / whole);
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
    `${rows} rows, ${singles.length + partly.length} models; ${percent(estimatedCosts)} of the costs are estimated from the prices`,
    best
      ? `best single model: ${best.name}`
      : 'no model has an outcome on every row, so there is none to compare with',
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
    ...(partly.length > 0 ? [`not on every row: ${partly.join(', ')}`] : []),
    ...(absent.length > 0 ? [`on no row: ${absent.join(', ')}`] : []),
    '',
    summaryOf(evaluation),
    '',
  ].join('\n');
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
        `${percent(least.score / best.score)} at ${percent(least.cost / best.cost)} of its cost`
      : `${percent(GOAL_QUALITY)} of the best model's quality: at no dial position`,
    most
      ? `${percent(GOAL_COST)} of the best model's cost: dial ${most.dial} has ` +
        `${percent(most.score / best.score)} of its quality at ${percent(most.cost / best.cost)}`
      : `${percent(GOAL_COST)} of the best model's cost: at no dial position`,
  ].join('\n');
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
