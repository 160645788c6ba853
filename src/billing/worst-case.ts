import { advisorsIn } from '../contract/advisor.js';
import { mostOutputAsked } from '../contract/asked-output.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { type SourceImage } from '../contract/images.js';
import { paidSources } from '../contract/megapixels.js';
import { type Model, type Rates } from '../contract/model.js';
import { type Units } from '../contract/money.js';
import { surchargePercent, withSurcharge } from '../contract/surcharge.js';
import { mostInput } from '../tokens/estimate.js';

/** What is asked of a model. */
export interface Ask {
  /** The route's path below `/v3`, such as `/v1/messages`. */
  readonly endpoint: string;
  readonly body: Pick<CheckedBody<object>, 'value' | 'bytes'>;
  /** `mostInput` of the body, where it has been counted before. */
  readonly input?: number;
  /** Whom the model may ask for advice. */
  readonly advisor?: Model | null;
}

/** The most that a request may reasonably cost on a model: what is held for it before it leaves. */
export function worstCase({ pricing, ...model }: Model, { endpoint, body, ...ask }: Ask): Units {
  const input = ask.input ?? mostInput(body.value);
  const reached = (pricing.tiers ?? []).filter((tier) => input > tier.aboveInputTokens);
  const costs = [pricing, ...reached.map((tier) => ({ ...pricing, ...tier }))].map((rates) => {
    const read = BigInt(input) * dearestInput(rates, body.bytes);
    const output = outputCost(rates, model, { endpoint, body });
    const tokens = withSurcharge(read + output, surchargePercent(body.value));
    return tokens + searchCost(rates, body.value) + (rates.perRequest ?? 0n);
  });
  return dearest(...costs) + (ask.advisor ? adviceCost(ask.advisor, input, body) : 0n);
}

/** Advice that is asked for in one answer where the caller sets no bound, and how long it is; both may be more. */
const USUAL_ADVICE = { times: 3, tokens: 2_048 } as const;

/** What the advice of a model may cost, which reads all that the model itself reads each time. */
function adviceCost({ pricing }: Model, input: number, { value, bytes }: Ask['body']): Units {
  const [tool] = advisorsIn(value);
  const times = wholeNumber(tool?.max_uses) ?? USUAL_ADVICE.times;
  const tokens = wholeNumber(tool?.max_tokens) ?? USUAL_ADVICE.tokens;
  const read = BigInt(input) * dearestInput(pricing, bytes);
  return BigInt(times) * (read + BigInt(tokens) * (pricing.outputPerToken ?? 0n));
}

/** What is written to a cache for an hour was marked so by the caller. */
function dearestInput(rates: Rates, bytes: Buffer): Units {
  return dearest(
    rates.inputPerToken,
    rates.inputPerImageToken,
    rates.cacheReadPerToken,
    rates.cacheWritePerToken,
    bytes.includes('"1h"') ? rates.cacheWrite1hPerToken : undefined,
  );
}

function outputCost(
  rates: Rates,
  model: Pick<Model, 'maxOutputTokens' | 'contextLength'>,
  { endpoint, body }: Ask,
): Units {
  if (endpoint.startsWith('/embeddings')) return 0n;
  const asked = body.value as AskedFor;
  const answers = BigInt(wholeNumber(asked.n) ?? 1);
  if (endpoint.startsWith('/images/')) {
    return answers * (imageCost(rates, asked) + sourceCost(rates, asked));
  }
  const longest = model.maxOutputTokens ?? model.contextLength ?? UNKNOWN_OUTPUT_TOKENS;
  const wanted = mostOutputAsked(asked) ?? longest;
  const tokens = Math.min(wanted, model.maxOutputTokens ?? wanted);
  return answers * BigInt(tokens) * dearest(rates.outputPerToken, rates.outputPerImageToken);
}

/** Searches that a model makes for one answer where the caller sets no bound; it may make more. */
const USUAL_SEARCHES = 5;

/** What the searches may cost that a tool of the provider's own makes. */
function searchCost({ perWebSearch = 0n }: Rates, { tools }: { readonly tools?: unknown }): Units {
  if (perWebSearch === 0n || !Array.isArray(tools)) return 0n;
  const searches = (tools as (ServerTool | null)[])
    .filter((tool) => typeof tool?.type === 'string' && tool.type.startsWith('web_search'))
    .map((tool) => wholeNumber(tool?.max_uses) ?? USUAL_SEARCHES);
  return perWebSearch * BigInt(Math.max(0, ...searches));
}

/** https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/web-search-tool */
interface ServerTool {
  readonly type?: unknown;
  readonly max_uses?: unknown;
}

interface AskedFor {
  readonly n?: unknown;
  readonly size?: unknown;
  readonly quality?: unknown;
  readonly images?: unknown;
}

const UNKNOWN_OUTPUT_TOKENS = 16_384;

function imageCost({ perImage, ...rates }: Rates, { size, quality }: AskedFor): Units {
  if (typeof perImage === 'bigint') return perImage;
  if (!perImage) {
    const tokens = BigInt(mostImageTokens(size, quality));
    return tokens * (rates.outputPerImageToken ?? rates.outputPerToken ?? 0n);
  }
  const prices = Object.entries(perImage);
  const fitting = prices.filter(([kind]) => {
    const [listedSize, listedQuality] = kind.split('/');
    return fits(size, listedSize) && fits(quality, listedQuality);
  });
  return dearest(...(fitting.length > 0 ? fitting : prices).map(([, price]) => price));
}

/** Each image that is made may be another call with all the sources. */
function sourceCost(rates: Rates, { images }: AskedFor): Units {
  if (!rates.perSourceImage || !Array.isArray(images)) return 0n;
  return BigInt(paidSources(images as readonly SourceImage[], rates)) * rates.perSourceImage;
}

/** Whether a price may be the one of an image for which this was asked. */
function fits(asked: unknown, listed: string | undefined): boolean {
  return typeof asked !== 'string' || asked === 'auto' || !listed || listed === asked;
}

/**
 * The most tokens that an image of this size and quality takes: an unknown size counts as the largest,
 * an unknown quality as the best. https://platform.openai.com/docs/guides/image-generation
 */
export function mostImageTokens(size: unknown, quality: unknown): number {
  const [square, largest] =
    (typeof quality === 'string' && IMAGE_TOKENS.get(quality)) || HIGH_QUALITY_TOKENS;
  return size === '1024x1024' ? square : largest;
}

const HIGH_QUALITY_TOKENS = [4_160, 6_240] as const;
const IMAGE_TOKENS = new Map<string, readonly [number, number]>([
  ['low', [272, 408]],
  ['medium', [1_056, 1_584]],
]);

function dearest(...rates: readonly (Units | undefined)[]): Units {
  return rates.reduce<Units>((most, rate) => (rate !== undefined && rate > most ? rate : most), 0n);
}

function wholeNumber(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}
