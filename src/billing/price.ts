import { type ImageKind } from '../contract/images.js';
import { type Pricing, type Rates } from '../contract/model.js';
import { type Units } from '../contract/money.js';
import { withSurcharge } from '../contract/surcharge.js';
import { type Usage } from '../contract/usage.js';

/**
 * What a call costs. A count whose own rate is missing is charged at the next rate that covers it
 * (cached at the input rate, image at the text rate), so a gap in a price list is never free.
 *
 * @param requests how many requests to its provider the call took.
 */
export function priceOf(
  pricing: Pricing,
  usage: Usage,
  image: ImageKind = {},
  requests = 1,
): Units {
  const rates = ratesFor(pricing, inputLength(usage));
  const listed = inputPrice(rates, usage) + outputPrice(rates, usage, image);
  const percent = usage.surchargePercent + serviceTierPercent(pricing, usage.serviceTier);
  const fees = toolFees(rates, usage) + BigInt(requests) * (rates.perRequest ?? 0n);
  return withSurcharge(listed, percent) + fees;
}

/** By how many percent the tokens cost more in a tier of service, or less; 0 for one without a price. */
export function serviceTierPercent({ serviceTiers }: Pricing, tier: unknown): number {
  if (!serviceTiers || typeof tier !== 'string' || !Object.hasOwn(serviceTiers, tier)) return 0;
  return serviceTiers[tier] ?? 0;
}

/** What the provider's own tools did that has a fee. */
export type ToolsUsed = Pick<Usage, 'webSearches' | 'fileSearches' | 'containerGigabytes'>;

/** What so much work of the provider's own tools costs beside the tokens. */
export function toolFees(rates: Rates, used: ToolsUsed): Units {
  return (
    BigInt(used.webSearches) * (rates.perWebSearch ?? 0n) +
    BigInt(used.fileSearches) * (rates.perFileSearch ?? 0n) +
    BigInt(used.containerGigabytes) * (rates.perContainerGigabyte ?? 0n)
  );
}

/** Every token that the model read, whatever it costs: the length that price tiers are about. */
function inputLength(usage: Usage): number {
  return (
    usage.inputTokens +
    usage.cacheReadTokens +
    usage.cacheWriteTokens +
    usage.cacheWrite1hTokens +
    usage.imageInputTokens +
    usage.cachedImageInputTokens
  );
}

/**
 * The rates of a call whose input has so many tokens: the highest tier that it reaches prices all of it,
 * not only the tokens above its bound.
 */
export function ratesFor(pricing: Pricing, length: number): Rates {
  // Asked for every candidate of the router, few of which have tiers.
  if (pricing.tiers === undefined) return pricing;
  return pricing.tiers
    .filter((tier) => length > tier.aboveInputTokens)
    .sort((one, other) => one.aboveInputTokens - other.aboveInputTokens)
    .reduce<Rates>((rates, tier) => ({ ...rates, ...tier }), pricing);
}

function inputPrice(rates: Rates, usage: Usage): Units {
  const text = rates.inputPerToken ?? 0n;
  const cacheRead = rates.cacheReadPerToken ?? text;
  const cacheWrite = rates.cacheWritePerToken ?? text;
  const image = rates.inputPerImageToken ?? text;
  const cachedImage =
    rates.cachedInputPerImageToken ?? rates.inputPerImageToken ?? rates.cacheReadPerToken ?? text;
  const audio = rates.inputPerAudioToken ?? text;
  const cachedAudio = rates.cachedInputPerAudioToken ?? rates.inputPerAudioToken ?? cacheRead;
  return (
    BigInt(usage.inputTokens) * text +
    BigInt(usage.audioInputTokens) * (audio - text) +
    BigInt(usage.cacheReadTokens) * cacheRead +
    BigInt(usage.cachedAudioInputTokens) * (cachedAudio - cacheRead) +
    BigInt(usage.cacheWriteTokens) * cacheWrite +
    BigInt(usage.cacheWrite1hTokens) * (rates.cacheWrite1hPerToken ?? cacheWrite) +
    BigInt(usage.imageInputTokens) * image +
    BigInt(usage.cachedImageInputTokens) * cachedImage +
    BigInt(usage.sourceImages) * (rates.perSourceImage ?? 0n)
  );
}

/** A price for each image covers the whole output; the tokens of such an answer are not charged too. */
function outputPrice(rates: Rates, usage: Usage, image: ImageKind): Units {
  if (rates.perImage !== undefined && usage.images > 0) {
    return BigInt(usage.images) * imagePrice(rates.perImage, image);
  }
  const text = rates.outputPerToken ?? 0n;
  return (
    BigInt(usage.outputTokens) * text +
    BigInt(usage.imageOutputTokens) * (rates.outputPerImageToken ?? text)
  );
}

/**
 * The price of one image of the size and quality asked for. Where the list has no such entry it is
 * the dearest one, since the provider will charge something.
 */
function imagePrice(perImage: NonNullable<Rates['perImage']>, image: ImageKind): Units {
  if (typeof perImage === 'bigint') return perImage;
  const size = chosen(image.size) ?? '1024x1024';
  const quality = chosen(image.quality) ?? 'standard';
  const listed = own(perImage, `${size}/${quality}`) ?? own(perImage, size);
  if (listed !== undefined) return listed;
  return Object.values(perImage).reduce((most, price) => (price > most ? price : most), 0n);
}

function chosen(value: string | undefined): string | undefined {
  return value === 'auto' ? undefined : value;
}

/** The caller's own words are the key, so inherited names such as `constructor` must not match. */
function own(prices: Readonly<Record<string, Units>>, key: string): Units | undefined {
  return Object.hasOwn(prices, key) ? prices[key] : undefined;
}
