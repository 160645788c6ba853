import { type Model } from '../contract/model.js';
import { UNITS_PER_USD } from '../contract/money.js';
import { logOdds, shareOf } from './log-odds.js';
import { ofEveryClass, type Qualities, type QualityPrior } from './quality-prior.js';
import { type TaskClass } from './task-class.js';

/** What is believed of each model of a catalogue. */
export type Beliefs = ReadonlyMap<string, Qualities>;

/** What a prior says of models beside their numbers of tokens. */
type Word = Pick<QualityPrior, 'of' | 'byPrice'>;

/**
 * The table's word on every model. Of a model that the table does not know: what its price lets
 * expect, moved by as much as the known models of the nearest prices are better or worse than theirs.
 */
export function beliefsOf(models: readonly Model[], prior: Word): Beliefs {
  const beliefs = new Map<string, Qualities>();
  const known: Known[] = [];
  for (const model of models) {
    const qualities = prior.of(model.id);
    if (!qualities) continue;
    beliefs.set(model.id, qualities);
    known.push({ price: logPrice(model), qualities });
  }
  for (const model of models) {
    if (!beliefs.has(model.id)) beliefs.set(model.id, neighbourly(logPrice(model), known, prior));
  }
  return beliefs;
}

interface Known {
  readonly price: number;
  readonly qualities: Qualities;
}

/** So many that one odd price does not decide. */
const NEIGHBOURS = 5;

function neighbourly(price: number, known: readonly Known[], { byPrice }: Word): Qualities {
  const nearest = known
    .toSorted((one, other) => Math.abs(one.price - price) - Math.abs(other.price - price))
    .slice(0, NEIGHBOURS);
  const usual = (task: TaskClass, at: number) => {
    const [one, ten] = [logOdds(byPrice.one[task]), logOdds(byPrice.ten[task])];
    return one + at * (ten - one);
  };
  return ofEveryClass((task) => {
    const ahead = nearest.map((one) => logOdds(one.qualities[task]) - usual(task, one.price));
    const mean = ahead.reduce((sum, one) => sum + one, 0) / Math.max(1, ahead.length);
    return shareOf(usual(task, price) + mean);
  });
}

/** A free model is taken for one of a cent a million tokens, and not for infinitely cheap. */
const LEAST_USD = 0.01;

/** The decimal logarithm of USD a million tokens; prompts are three times as long as answers. */
function logPrice({ pricing }: Model): number {
  const blended = 3n * (pricing.inputPerToken ?? 0n) + (pricing.outputPerToken ?? 0n);
  const usd = (Number(blended) * 1_000_000) / (4 * Number(UNITS_PER_USD));
  return Math.log10(Math.max(LEAST_USD, usd));
}
