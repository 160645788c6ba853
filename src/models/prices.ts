import { calcPrice, type ModelPrice } from '@pydantic/genai-prices';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Pricing, type Rates } from '../contract/model.js';
import { type Units, unitsOfUsd } from '../contract/money.js';
import { readPricing } from './pricing-fields.js';
import { YamlValue } from './yaml-value.js';

/** The list price of a provider's model; undefined when nobody knows it. */
export type PriceList = (provider: string, model: string) => Pricing | undefined;

/**
 * The providers' list prices that are valid at a moment: our own files first, then the bundled data
 * of genai-prices, which matches older models by prefix and would take a new one for its forerunner.
 *
 * @throws Error if a file of our own is wrong.
 */
export function priceList(now: Date): PriceList {
  const own = (known ??= ownPrices());
  return (provider, model) => {
    const periods = own.get(`${provider}/${model}`);
    const listed = periods?.findLast(({ from }) => from <= now.getTime())?.pricing;
    if (model === EVERY_CONVERSATION || (listed && !isAddition(listed))) return listed;
    const others = bundled(provider, model, now);
    return others && { ...others, ...listed };
  };
}

/**
 * In place of a model's name: what all models of a provider cost that hold
 * conversations, beside their own price.
 */
export const EVERY_CONVERSATION = '*';

/** Read once: the files are shipped, and to read them again with each `MODELS_FILE` would hold calls up. */
let known: ReadonlyMap<string, readonly Period[]> | undefined;

/** A price, and since when it holds, in Unix milliseconds. */
interface Period {
  readonly from: number;
  readonly pricing: Pricing;
}

/** Whether a row of our own says something beside the price that genai-prices knows. */
function isAddition(pricing: Pricing): boolean {
  return Object.keys(pricing).every((key) => key === 'serviceTiers');
}

/** What genai-prices calls a provider, where it is not our name. */
const PRICE_PROVIDERS: Readonly<Record<string, string>> = {
  'azure-openai': 'azure',
  bedrock: 'aws',
  vertex: 'google',
};

/** A price, the rate that it is, and for how many: a million tokens, a thousand searches. */
const RATE_OF: readonly (readonly [string, keyof Rates, bigint?])[] = [
  ['input_mtok', 'inputPerToken'],
  ['output_mtok', 'outputPerToken'],
  ['cache_read_mtok', 'cacheReadPerToken'],
  ['cache_write_mtok', 'cacheWritePerToken'],
  ['cache_write_1h_mtok', 'cacheWrite1hPerToken'],
  ['input_image_mtok', 'inputPerImageToken'],
  ['cache_image_read_mtok', 'cachedInputPerImageToken'],
  ['output_image_mtok', 'outputPerImageToken'],
  ['input_audio_mtok', 'inputPerAudioToken'],
  ['cache_audio_read_mtok', 'cachedInputPerAudioToken'],
  ['web_searches_kcount', 'perWebSearch', 1_000n],
];

/**
 * Prices that genai-prices does not know, or knows only under an older model's name: one file a
 * provider, USD under the names of `MODELS_FILE`; 2.5e-6 a token is 2.50 a million. In a map of image
 * prices the default size and quality comes first. `cost_is_reported`: answers say what they cost,
 * which is believed, of a conversation where it is more, unless the operator has a price of his own.
 * A row of `service_tiers` alone adds them to what genai-prices knows.
 * `later`: prices by the day (UTC) from which they take the place of the one before.
 */
function ownPrices(): ReadonlyMap<string, readonly Period[]> {
  const problems: string[] = [];
  const prices = globSync('prices/*.yaml', { cwd: import.meta.dirname }).flatMap((name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    return YamlValue.parse(text, name, problems)
      .members()
      .map(([id, row]) => {
        row.only(['source', 'pricing', 'cost_is_reported', 'later']);
        if (!row.at('source').text()) row.problem('names no source');
        if (row.at('pricing').absent) row.problem('has no pricing');
        return [id, periodsOf(row)] as const;
      });
  });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return new Map(prices);
}

function periodsOf(row: YamlValue): readonly Period[] {
  const isReported = row.at('cost_is_reported').flag();
  const later = row.at('later');
  const days = later.absent ? [] : later.members();
  const periods = [[FIRST_DAY, row.at('pricing')] as const, ...days].map(([day, value]) => {
    const from = Date.parse(day);
    if (Number.isNaN(from)) value.problem('stands under what is no day');
    return { from, pricing: { ...readPricing(value), ...(isReported && { isReported }) } };
  });
  return periods.toSorted((one, other) => one.from - other.from);
}

/** Before there was anything to pay. */
const FIRST_DAY = '1970-01-01';

function bundled(provider: string, model: string, now: Date): Pricing | undefined {
  // Priced for no usage: what is wanted is the row that is valid now.
  const found = calcPrice({}, model, {
    providerId: PRICE_PROVIDERS[provider] ?? provider,
    timestamp: now,
  });
  if (!found) return undefined;
  const tiers = bounds(found.model_price).map((aboveInputTokens) => ({
    ...ratesAt(found.model_price, aboveInputTokens),
    aboveInputTokens,
  }));
  return { ...ratesAt(found.model_price, 0), ...(tiers.length > 0 && { tiers }) };
}

function bounds(price: ModelPrice): number[] {
  const starts = Object.values(price).flatMap((rate) =>
    typeof rate === 'object' ? rate.tiers.map(({ start }) => start) : [],
  );
  return [...new Set(starts)].sort((one, other) => one - other);
}

/** The rates of a call whose input is just longer than `length`. */
function ratesAt(price: ModelPrice, length: number): Rates {
  const rates = RATE_OF.flatMap(([key, rate, many = 1_000_000n]): [keyof Rates, Units][] => {
    const listed = price[key];
    if (listed === undefined) return [];
    const usd =
      typeof listed === 'number'
        ? listed
        : (listed.tiers.findLast(({ start }) => start <= length && start > 0)?.price ??
          listed.base);
    return [[rate, unitsOfUsd(usd) / many]];
  });
  return Object.fromEntries(rates);
}
