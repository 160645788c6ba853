import { type Endpoint } from '../contract/endpoint.js';
import { type Pricing, type Rates } from '../contract/model.js';
import { type Units, unitsOfUsd, usdNumber } from '../contract/money.js';
import { type YamlValue } from './yaml-value.js';

/** A price list as `GET /v3/models` shows it: names of prices to numbers of USD. */
export type PricingObject = Readonly<Record<string, number>>;

/** Reads a price list in the wire's own names, in USD; undefined when there is none. */
export function readPricing(value: YamlValue): Pricing | undefined {
  if (value.absent) return undefined;
  value.only([...Object.keys(RATE_OF), PER_IMAGE, TIERS, SERVICE_TIERS]);
  const serviceTiers = value.at(SERVICE_TIERS);
  const tiers = value.at(TIERS).items()?.map(readTier);
  const sorted = tiers?.toSorted((one, other) => one.aboveInputTokens - other.aboveInputTokens);
  return {
    ...readRates(value),
    ...(sorted && { tiers: sorted }),
    ...(!serviceTiers.absent && { serviceTiers: readServiceTiers(serviceTiers) }),
  };
}

/** Written as how many times the price the tokens cost: 2, or 0.5. */
function readServiceTiers(value: YamlValue): Readonly<Record<string, number>> {
  const percents = value.members().map(([tier, written]) => {
    if (written.absent) written.problem('needs a number');
    const times = written.number() ?? 1;
    const percent = Math.round(times * 100);
    if (percent / 100 !== times) written.problem('is finer than a hundredth');
    return [tier, percent - 100] as const;
  });
  return Object.fromEntries(percents);
}

/** The prices that a model cannot do without: what it would otherwise give away. */
export function missingPrices(endpoints: readonly Endpoint[], pricing: Pricing): string[] {
  const made = pricing.perImage ?? pricing.outputPerImageToken ?? pricing.outputPerToken;
  const missing = endpoints.flatMap((endpoint) => {
    if (endpoint === 'images' || endpoint === 'image-edits')
      return made === undefined ? PER_IMAGE : [];
    const input = pricing.inputPerToken === undefined ? 'input_cost_per_token' : [];
    const answers = endpoint === 'messages' && pricing.outputPerToken === undefined;
    return [input, answers ? 'output_cost_per_token' : []].flat();
  });
  return [...new Set(missing)];
}

/**
 * The prices that the model lists show. `output_cost_per_image` is that of the default size and
 * quality; for a model that is billed by the token, that of a 1024x1024 image of medium quality.
 */
export function pricingObject(pricing: Pricing, endpoints: readonly Endpoint[]): PricingObject {
  const draws = endpoints.includes('images') || endpoints.includes('image-edits');
  const perImage = draws ? imageOf(pricing) : undefined;
  const shown: readonly (readonly [string, Units | undefined])[] = [
    ...SHOWN.map((name) => [name, pricing[RATE_OF[name]]] as const),
    [PER_IMAGE, perImage],
  ];
  return Object.fromEntries(
    shown.flatMap(([name, units]) => (units === undefined ? [] : [[name, usdNumber(units)]])),
  );
}

/** What a list price says and a price that takes its place does not, by the names of a models file. */
export function lostPrices(list: Pricing, given: Pricing): string[] {
  const more = {
    [PER_IMAGE]: 'perImage',
    [TIERS]: 'tiers',
    [SERVICE_TIERS]: 'serviceTiers',
  } as const;
  const named = Object.entries({ ...RATE_OF, ...more } as const);
  return named
    .filter(([, rate]) => list[rate] !== undefined && given[rate] === undefined)
    .map(([name]) => name);
}

const RATE_OF = {
  input_cost_per_token: 'inputPerToken',
  output_cost_per_token: 'outputPerToken',
  cache_read_input_token_cost: 'cacheReadPerToken',
  cache_creation_input_token_cost: 'cacheWritePerToken',
  cache_creation_1h_input_token_cost: 'cacheWrite1hPerToken',
  input_cost_per_image_token: 'inputPerImageToken',
  cached_input_cost_per_image_token: 'cachedInputPerImageToken',
  output_cost_per_image_token: 'outputPerImageToken',
  input_cost_per_audio_token: 'inputPerAudioToken',
  cached_input_cost_per_audio_token: 'cachedInputPerAudioToken',
  input_cost_per_image: 'perSourceImage',
  cost_per_request: 'perRequest',
  cost_per_web_search: 'perWebSearch',
  cost_per_file_search: 'perFileSearch',
  cost_per_container_gigabyte: 'perContainerGigabyte',
} as const satisfies Record<string, keyof Rates>;

const PER_IMAGE = 'output_cost_per_image';
const TIERS = 'tiers';
const SERVICE_TIERS = 'service_tiers';
const BOUND = 'above_input_tokens';

const SHOWN = [
  'input_cost_per_token',
  'output_cost_per_token',
  'cache_read_input_token_cost',
  'cache_creation_input_token_cost',
] as const;

/** Output tokens of a 1024x1024 image of medium quality, the same for every gpt-image model. */
const IMAGE_TOKENS = 1_056n;

function imageOf({ perImage, outputPerImageToken, outputPerToken }: Pricing): Units | undefined {
  if (typeof perImage === 'bigint') return perImage;
  // The first entry is that of the default size and quality.
  if (perImage) return Object.values(perImage)[0];
  const perToken = outputPerImageToken ?? outputPerToken;
  return perToken && perToken * IMAGE_TOKENS;
}

function readTier(value: YamlValue): Rates & { aboveInputTokens: number } {
  value.only([BOUND, ...Object.keys(RATE_OF), PER_IMAGE]);
  if (value.at(BOUND).absent) value.problem(`needs ${BOUND}`);
  return { ...readRates(value), aboveInputTokens: value.at(BOUND).whole(0) ?? 0 };
}

function readRates(value: YamlValue): Rates {
  const rates = Object.entries(RATE_OF).map(([name, rate]) => [rate, money(value.at(name))]);
  const perImage = readPerImage(value.at(PER_IMAGE));
  return Object.fromEntries(
    [...rates, ['perImage', perImage]].filter(([, price]) => price !== undefined),
  ) as Rates;
}

function readPerImage(value: YamlValue): Rates['perImage'] {
  if (!value.isMap) return money(value);
  const prices = value.members().map(([key, price]) => {
    if (price.absent) price.problem('needs a price');
    return [key, money(price) ?? 0n] as const;
  });
  if (prices.length === 0) value.problem('needs at least one price');
  return Object.fromEntries(prices);
}

function money(value: YamlValue): Units | undefined {
  const usd = value.number();
  if (usd === undefined) return undefined;
  const units = unitsOfUsd(usd);
  if (usdNumber(units) !== usd) value.problem('is finer than 10^-12 USD');
  return units;
}
