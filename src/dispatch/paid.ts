import { MOST_GRANTED } from '../billing/grant.js';
import { priceOf } from '../billing/price.js';
import { helpersIn } from '../contract/helper.js';
import { type AskedImage, mostImageTokens } from '../contract/image-tokens.js';
import { type ImageKind } from '../contract/images.js';
import { type Units } from '../contract/money.js';
import {
  addedUsage,
  NO_USAGE,
  sharedUsage,
  type ToolsSeen,
  type Usage,
  withHelp,
} from '../contract/usage.js';
import { surchargePercent } from '../contract/surcharge.js';
import { type Outcome } from '../contract/usage-record.js';
import { type Target } from '../providers/provider.js';
import { pricedAs } from '../providers/serves.js';
import { estimateInput, tokensOfBytes } from '../tokens/estimate.js';
import { type Call, isPlayed, type RunningTry } from './call.js';

/** How a call ended, as far as the provider told. */
export interface Ending extends ToolsSeen {
  readonly outcome: Outcome;
  readonly status: number;
  /** Undefined: the provider reported nothing usable, so our own count stands in. */
  readonly usage: Usage | undefined;
  /** False: the provider has not said how much it produced, so what was seen is counted. */
  readonly isFinal: boolean;
  readonly outputBytes: number;
  /** How many images the answer has; undefined: as many as were asked for. */
  readonly images?: number | undefined;
  readonly image?: ImageKind;
  /** What the call costs by the provider's own word, where it says that. */
  readonly charged?: Units;
  /** How many of its requests are paid for; undefined: all. */
  readonly requests?: number;
  readonly firstByteMs: number | null;
}

/** What is paid for, and how much. */
export interface Paid {
  readonly usage: Usage;
  readonly cost: Units;
  /** Not all of it is what the provider told. */
  readonly isEstimate: boolean;
}

/** Nothing at all, not even a fee for the request. */
export const FREE: Paid = { usage: NO_USAGE, cost: 0n, isEstimate: false };

/** What a call is paid that came to an end. */
export function paidFor(call: Call, target: Target, ending: Ending): Paid {
  if (ending.outcome === 'error' && !ending.usage) return FREE;
  const usage = usageOf(call, target, ending);
  const isEstimate = ending.outcome !== 'error' && usage !== ending.usage;
  return { usage, cost: costOf(call, target, usage, ending), isEstimate };
}

/**
 * What is paid for. A provider that broke off is paid what it reported; otherwise what it did not
 * report, because a caller hung up or by its own omission, is counted here, with
 * what its tools were seen to do.
 */
export function usageOf(call: Call, target: Target, ending: Ending): Usage {
  if (ending.outcome === 'error') return ending.usage ?? NO_USAGE;
  if (!ending.usage) {
    return withPictures({ ...counted(call, target, ending), ...ending.tools }, call, target);
  }
  if (ending.isFinal) return withPictures(ending.usage, call, target);
  const seen = tokensOfBytes(ending.outputBytes);
  return {
    ...ending.usage,
    ...ending.tools,
    outputTokens: Math.max(ending.usage.outputTokens, seen),
  };
}

/** Pictures that a tool made and of which the provider told no tokens, with as many as they may have. */
function withPictures(usage: Usage, { body }: Call, { helper }: Target): Usage {
  if (!usage.help?.some(({ images, imageOutputTokens }) => images > 0 && imageOutputTokens === 0)) {
    return usage;
  }
  const asked = helpersIn(body.value).find(({ format }) => format === 'responses')?.tool;
  const each = mostImageTokens(helper?.name ?? '', asked ?? {});
  const help = usage.help.map((one) => ({
    ...one,
    imageOutputTokens: one.imageOutputTokens || one.images * each,
  }));
  return { ...usage, help };
}

/** Our own count: the request's text, and what was seen of the answer. */
function counted(call: Call, target: Target, { outputBytes, image, images: made }: Ending): Usage {
  const sent = sentIn(call, target);
  if (!call.path.startsWith('/images/')) {
    return { ...sent, outputTokens: tokensOfBytes(outputBytes) };
  }
  const { n, ...asked } = call.body.value as AskedImage & { readonly n?: unknown };
  const images = made ?? (typeof n === 'number' ? n : 1);
  const imageOutputTokens = images * mostImageTokens(target.model.name, { ...asked, ...image });
  return { ...sent, images, imageOutputTokens };
}

/** Of embeddings only `input` is read, and texts may be short beside the other fields. */
function inputOf({ path, body }: Call): number {
  const { input } = body.value as { input?: unknown };
  return estimateInput(path === '/embeddings' ? input : body.value);
}

/** All that went in, and all that came out, help included. */
export function tokensOf(told: Usage): readonly [number, number] {
  const usage = withHelp(told);
  const text = usage.inputTokens + usage.imageInputTokens;
  const cached = usage.cacheReadTokens + usage.cachedImageInputTokens;
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  return [text + cached + written, usage.outputTokens + usage.imageOutputTokens];
}

/** What that usage of the model costs the caller. */
export function costOf(
  call: Call,
  { model, helper }: Target,
  usage: Usage,
  { image, charged, requests = call.requests }: Pick<Ending, 'image' | 'charged' | 'requests'> = {},
): Units {
  if (isPlayed(call)) return 0n;
  const helped = (usage.help ?? []).map((one) => priceOf((helper ?? model).pricing, one));
  const own = priceOf(model.pricing, usage, image, requests);
  const listed = helped.reduce((sum, one) => sum + one, own);
  if (!model.pricing.isReported) return listed;
  const { told = 0n } = usage;
  // With a key of the operator's own at the model's maker a small fee is all that is told.
  return charged ?? (told > listed ? told : listed);
}

/** What a try is paid that was cut because its caller left: what it was sent, by our own count. */
export function leftBy(call: Call, target: Target): Paid {
  const usage = sentIn(call, target);
  return { usage, cost: costOf(call, target, usage), isEstimate: true };
}

/** What a target was sent, by our own count, and at which price. */
export function sentIn(call: Call, target: Target): Usage {
  const asked = pricedAs(target, call.format, call.body.value);
  const { service_tier: tier } = asked as { service_tier?: unknown };
  const inputTokens = inputOf(call);
  const sent = { ...NO_USAGE, inputTokens, surchargePercent: surchargePercent(asked) };
  return typeof tier === 'string' ? { ...sent, serviceTier: tier } : sent;
}

/**
 * What a try is paid that was cut because another one of the same request had answered: what it was
 * sent, which is what the other one was sent, or as many parts of that; and as much as the other one
 * altogether, where the provider works on and charges for it.
 *
 * @param answered what is paid for the other one.
 */
export function outrunBy(answered: Paid, call: Call, { target, sent, parts }: RunningTry): Paid {
  const isDrained = target.connection.provider.onDisconnect === 'drain';
  if (isDrained && sent >= parts) return { ...answered, isEstimate: true };
  const all = isDrained ? answered.usage : { ...answered.usage, ...NO_OUTPUT };
  const requests = Math.min(sent, parts);
  const usage = sharedUsage(all, requests / parts);
  return { usage, cost: costOf(call, target, usage, { requests }), isEstimate: true };
}

const NO_OUTPUT = {
  outputTokens: 0,
  imageOutputTokens: 0,
  images: 0,
  webSearches: 0,
  fileSearches: 0,
  containerGigabytes: 0,
} as const;

/**
 * What several tries of one request are paid; one alone as it is. What is more than an account can be
 * granted is a provider's mistake and may not fit into the books, so that much is paid in its place.
 */
export function together(tries: readonly [Paid, ...Paid[]]): Paid {
  const sum = tries.reduce((all, { usage, cost, isEstimate }) => ({
    usage: addedUsage(all.usage, usage),
    cost: all.cost + cost,
    isEstimate: all.isEstimate || isEstimate,
  }));
  return sum.cost > MOST_GRANTED ? { ...sum, cost: MOST_GRANTED, isEstimate: true } : sum;
}
