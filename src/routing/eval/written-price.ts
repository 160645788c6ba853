import { type Pricing } from '../../contract/model.js';
import { unitsOfUsd } from '../../contract/money.js';
import { type YamlValue } from '../../models/yaml-value.js';

/** Where prices stand: below one of these, or beside everything else. */
const PLACES = ['pricing', 'prices', 'price', 'costs', 'cost'];

const SIDES = {
  input: ['input', 'prompt', 'in'],
  output: ['output', 'completion', 'out'],
} as const;

/** Words of a price's name, and how many tokens they say that it is for; 0: nothing of that. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...['cost', 'price', 'usd', 'per'].map((word) => [word, 0] as const),
  ...['token', 'tokens', 'tok'].map((word) => [word, 1] as const),
  ...['1k', 'k', 'ktok', 'thousand'].map((word) => [word, 1_000] as const),
  ...['1m', 'm', 'mtok', 'mtokens', 'million'].map((word) => [word, 1_000_000] as const),
]);

/** A price without a unit that is below this is meant for a token, not for a million of them. */
const LEAST_A_MILLION = 0.001;
/** No model is as dear: the price was meant for more tokens than its name says. */
const MOST_A_TOKEN = 0.01;

/**
 * The prices of a candidate, in whichever of the usual ways they are written: `input: 0.15` is USD a
 * million tokens, `input_cost_per_token: 0.00000015` USD a token. What is missing is noted.
 */
export function pricingOf(entry: YamlValue): Pricing {
  if (!entry.isMap) {
    entry.problem('needs prices: { input: 0.15, output: 0.6 }, USD a million tokens');
    return {};
  }
  return {
    inputPerToken: unitsOfUsd(priceOf(entry, 'input')),
    outputPerToken: unitsOfUsd(priceOf(entry, 'output')),
  };
}

/** USD a token. */
function priceOf(entry: YamlValue, side: keyof typeof SIDES): number {
  const places = [...PLACES.map((key) => entry.at(key)), entry].filter(({ isMap }) => isMap);
  for (const [name, value] of places.flatMap((place) => place.members())) {
    const tokens = tokensIn(name, side);
    if (tokens === undefined || value.absent) continue;
    const price = value.number() ?? 0;
    const usd = price / (tokens || (price < LEAST_A_MILLION ? 1 : 1_000_000));
    if (usd > MOST_A_TOKEN) value.problem(`is ${usd * 1_000_000} USD a million tokens: too much`);
    return usd;
  }
  entry.problem(`needs ${side}: USD a million ${side} tokens, or ${side}_cost_per_token`);
  return 0;
}

/** How many tokens a price of that name is for, 0 where it does not say; undefined for no price. */
function tokensIn(name: string, side: keyof typeof SIDES): number | undefined {
  const words = name.toLowerCase().split(/[^a-z\d]+/);
  const rest = words.filter((word) => !SIDES[side].some((own) => own === word));
  if (rest.length !== words.length - 1 || !rest.every((word) => WORDS.has(word))) return undefined;
  const tokens = Math.max(0, ...rest.map((word) => WORDS.get(word) ?? 0));
  // `input_tokens` counts tokens.
  return tokens === 1 && rest.length === 1 ? undefined : tokens;
}
