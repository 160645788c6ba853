import { type Pricing } from '../../contract/model.js';
import { unitsOfUsd } from '../../contract/money.js';
import { isText } from '../../json/values.js';
import { type YamlValue } from '../../models/yaml-value.js';
import { numberAt, priceAt } from './written-number.js';

const SIDES = {
  input: ['input', 'prompt', 'in'],
  output: ['output', 'completion', 'out'],
} as const;
type Side = keyof typeof SIDES;
const SIDE_NAMES = ['input', 'output'] as const;

/** Words that a price is known by. */
const OF_PRICES = ['pricing', 'prices', 'price', 'costs', 'cost', 'usd', 'per'];

/** Words of a price's name, and how many tokens they say that it is for; 0: nothing of that. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...OF_PRICES.map((word) => [word, 0] as const),
  ...['token', 'tokens', 'tok'].map((word) => [word, 1] as const),
  ...['1k', 'k', 'ktok', 'thousand', '1000'].map((word) => [word, 1_000] as const),
  ...['1m', 'm', 'mtok', 'mtokens', 'million', '1000000'].map((word) => [word, 1_000_000] as const),
]);

/** Prices without a unit that are all below this are meant for a token, not for a million of them. */
const LEAST_A_MILLION = 0.001;
/** Nobody gives a million tokens for less, whatever the other prices are. */
const LEAST_OF_ALL = 0.000_01;
/** No model is as dear: the price was meant for more tokens than its name says. */
const MOST_A_TOKEN = 0.01;

/** Where prices stand, and for how many tokens they are by the name of the place; 0: it says nothing. */
export interface Place {
  /** Of the member that they stand in. */
  readonly name: string;
  readonly value: YamlValue;
  readonly tokens: number;
}

/**
 * The prices of a candidate, in whichever of the usual ways they are written: `input: 0.15` is USD a
 * million tokens, `input_cost_per_token: 0.00000015` USD a token; beside everything else, or below a
 * name of their own. What is missing is noted.
 *
 * @param besides what stands elsewhere than in the model's entry.
 * @param unit for how many tokens the prices are that do not say it.
 */
export function pricingOf(entry: YamlValue, besides: readonly Place[], unit: number): Pricing {
  const places = placesOf(entry, besides);
  if (places.length === 0) {
    entry.problem('needs prices: { input: 0.15, output: 0.6 }, USD a million tokens');
    return {};
  }
  return {
    inputPerToken: unitsOfUsd(priceOf(entry, places, { side: 'input', unit })),
    outputPerToken: unitsOfUsd(priceOf(entry, places, { side: 'output', unit })),
  };
}

/**
 * For how many tokens the prices of a file are that do not say it: what the file says as a whole, such as
 * `unit: usd_per_1k_tokens`; else one where all of them are so small, else a million. One word for all:
 * what is wrong by the same factor everywhere leaves their order as it is.
 */
export function unitOf(
  file: YamlValue,
  models: readonly { readonly entry: YamlValue; readonly besides: readonly Place[] }[],
): number {
  const bare = models.flatMap(({ entry, besides }) =>
    SIDE_NAMES.flatMap((side) => {
      const found = foundIn(placesOf(entry, besides), side);
      return found?.tokens === 0 ? (numberAt(found.value) ?? []) : [];
    }),
  );
  const paid = bare.filter((price) => price > 0);
  const isATokens = paid.length > 0 && paid.every((price) => price < LEAST_A_MILLION);
  return said(file) || (isATokens ? 1 : 1_000_000);
}

function placesOf(entry: YamlValue, besides: readonly Place[]): readonly Place[] {
  const own = { name: '', value: entry, tokens: said(entry) };
  return [...besides, ...placesIn(entry), own].filter(({ value }) => value.isMap);
}

/** For how many tokens prices are by a member beside them; 0: it says nothing. */
function said(value: YamlValue): number {
  const unit = UNIT_NAMES.map((name) => value.at(name).written).find((word) => isText(word));
  return isText(unit) ? mostTokens(wordsOf(unit)) : 0;
}

/** Members by which a file, an entry or a place of prices tells for how many tokens they are. */
export const UNIT_NAMES = ['unit', 'units', 'per', 'price_unit', 'pricing_unit'];

/** The members of an entry, or of the file, that hold prices. */
export function placesIn(entry: YamlValue): Place[] {
  if (!entry.isMap) return [];
  return entry.members().flatMap(([name, value]): Place[] => {
    const words = wordsOf(name);
    const isPlace = words.every((word) => WORDS.has(word)) && words.some(isOfPrices);
    return isPlace && value.isMap
      ? [{ name, value, tokens: mostTokens(words) || said(value) }]
      : [];
  });
}

/** USD a token. */
function priceOf(
  entry: YamlValue,
  places: readonly Place[],
  { side, unit }: { side: Side; unit: number },
): number {
  const found = foundIn(places, side);
  if (!found) {
    entry.problem(`needs ${side}: USD a million ${side} tokens, or ${side}_cost_per_token`);
    return 0;
  }
  const price = priceAt(found.value);
  const usd = price / (found.tokens || (price < LEAST_OF_ALL ? 1 : unit));
  if (usd > MOST_A_TOKEN) {
    found.value.problem(`is ${usd * 1_000_000} USD a million tokens: too much`);
  }
  return usd;
}

/** The first price of a side, and for how many tokens it is, 0 where nothing says so. */
function foundIn(
  places: readonly Place[],
  side: Side,
): { value: YamlValue; tokens: number } | undefined {
  for (const place of places) {
    for (const [name, value] of place.value.members()) {
      const tokens = tokensIn(name, side);
      if (tokens !== undefined && !value.absent) return { value, tokens: tokens || place.tokens };
    }
  }
  return undefined;
}

/** Whether a member of that name is a price. */
export function isPrice(name: string): boolean {
  return tokensIn(name, 'input') !== undefined || tokensIn(name, 'output') !== undefined;
}

/** How many tokens a price of that name is for, 0 where it does not say; undefined for no price. */
function tokensIn(name: string, side: Side): number | undefined {
  const words = wordsOf(name);
  const rest = words.filter((word) => !SIDES[side].some((own) => own === word));
  if (rest.length !== words.length - 1 || !rest.every((word) => WORDS.has(word))) return undefined;
  const tokens = mostTokens(rest);
  // `input_tokens` counts tokens.
  return tokens === 1 && rest.length === 1 ? undefined : tokens;
}

/** `input_per_1m`, `inputPer1M`. */
function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z])([A-Z\d])/g, '$1 $2');
  return apart
    .toLowerCase()
    .replace(/(?<=\d),(?=\d{3})/g, '')
    .split(/[^a-z\d]+/);
}

function isOfPrices(word: string): boolean {
  return OF_PRICES.includes(word);
}

function mostTokens(words: readonly string[]): number {
  return Math.max(0, ...words.map((word) => WORDS.get(word) ?? 0));
}
