import { mostOutputAsked } from '../contract/asked-output.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { ownFields } from '../contract/embeddings.js';
import { type AskedImage } from '../contract/image-tokens.js';
import { type SourceImage } from '../contract/images.js';
import { paidSources } from '../contract/megapixels.js';
import { type Model, type Rates } from '../contract/model.js';
import { dearest, type Units } from '../contract/money.js';
import { mostTokensSeen } from '../contract/seen-images.js';
import { surchargePercent, withSurcharge } from '../contract/surcharge.js';
import { mostInput } from '../tokens/estimate.js';
import { imageCost } from './image-cost.js';
import { serviceTierPercent } from './price.js';
import { helpCost, mostToolFees, wholeNumber } from './tool-costs.js';

/** What is asked of a model. */
export interface Ask {
  /** The route's path below `/v3`, such as `/v1/messages`. */
  readonly path: string;
  readonly body: Pick<CheckedBody<object>, 'value' | 'bytes'>;
  /** The body as it came, where the other is made of it for one model: of a long one to be counted only once. */
  readonly cameAs?: object;
  /** Which other model it may use by a tool. */
  readonly helper?: Model | null;
  /** How many requests to its provider it is made into; 1 unless said. */
  readonly requests?: number;
}

/** The most that a request may reasonably cost on a model: what is held for it before it leaves. */
export function worstCase({ pricing, ...model }: Model, { path, body, ...ask }: Ask): Units {
  const input = mostRead(path, ask.cameAs ?? body.value, model.id);
  const reached = (pricing.tiers ?? []).filter((tier) => input > tier.aboveInputTokens);
  const { service_tier: serviceTier } = body.value as { service_tier?: unknown };
  // One that costs less may not be had.
  const percent =
    surchargePercent(body.value) + Math.max(0, serviceTierPercent(pricing, serviceTier));
  const costs = [pricing, ...reached.map((tier) => ({ ...pricing, ...tier }))].map((rates) => {
    const read = BigInt(input) * dearestInput(rates, body.bytes);
    const output = outputCost(rates, model, { path, body });
    const tokens = withSurcharge(read + output, percent);
    const fees = BigInt(ask.requests ?? 1) * (rates.perRequest ?? 0n);
    return tokens + mostToolFees(rates, body.value) + fees;
  });
  const most = dearest(...costs);
  if (!ask.helper) return most;
  const read = { tokens: input, rate: dearestInput(ask.helper.pricing, body.bytes) };
  return most + helpCost(ask.helper, body.value, read);
}

/** The most tokens that are read: a provider's own fields of embeddings may go to it with each input. */
function mostRead(path: string, value: object, model: string): number {
  const whole = mostInput(value, () => mostTokensSeen(model));
  const { input } = value as { readonly input?: unknown };
  if (!path.startsWith('/embeddings') || !Array.isArray(input)) return whole;
  if (typeof input[0] === 'number') return whole;
  return whole + (input.length - 1) * mostInput(ownFields(value));
}

/** What is cached for an hour was marked so by the caller, and sound is called audio in every format. */
const HOUR_OF_CACHE = '"1h"';
const SOUND = 'audio';

/** What of a body's bytes says at which rates it is read: of a long one to be looked for only once. */
export function rateMarks(bytes: Buffer): Buffer {
  return Buffer.from([HOUR_OF_CACHE, SOUND].filter((mark) => bytes.includes(mark)).join(' '));
}

function dearestInput(rates: Rates, bytes: Buffer): Units {
  return dearest(
    rates.inputPerToken,
    rates.inputPerImageToken,
    rates.cacheReadPerToken,
    rates.cacheWritePerToken,
    bytes.includes(HOUR_OF_CACHE) ? rates.cacheWrite1hPerToken : undefined,
    bytes.includes(SOUND) ? rates.inputPerAudioToken : undefined,
  );
}

function outputCost(
  rates: Rates,
  model: Pick<Model, 'name' | 'maxOutputTokens' | 'contextLength'>,
  { path, body }: Ask,
): Units {
  if (path.startsWith('/embeddings')) return 0n;
  const asked = body.value as AskedFor;
  const answers = BigInt(wholeNumber(asked.n) ?? 1);
  if (path.startsWith('/images/')) {
    return answers * (imageCost(rates, model, asked) + sourceCost(rates, asked));
  }
  const longest = model.maxOutputTokens ?? model.contextLength ?? UNKNOWN_OUTPUT_TOKENS;
  const wanted = mostOutputAsked(asked) ?? longest;
  const tokens = Math.min(wanted, model.maxOutputTokens ?? wanted);
  return answers * BigInt(tokens) * dearest(rates.outputPerToken, rates.outputPerImageToken);
}

interface AskedFor extends AskedImage {
  readonly n?: unknown;
  readonly images?: unknown;
}

const UNKNOWN_OUTPUT_TOKENS = 16_384;

/** Each image that is made may be another call with all the sources. */
function sourceCost(rates: Rates, { images }: AskedFor): Units {
  if (!rates.perSourceImage || !Array.isArray(images)) return 0n;
  return BigInt(paidSources(images as readonly SourceImage[], rates)) * rates.perSourceImage;
}
