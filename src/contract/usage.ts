import { type Units } from './money.js';

/**
 * What a call consumed, in disjoint counts, and at which surcharge: a token stands in exactly one of them, and
 * one of sound in that of sound, too.
 * (Anthropic reports input without cache tokens, OpenAI with them; dialects bring both to this shape.)
 */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  /** Tokens written to the prompt cache for five minutes. */
  readonly cacheWriteTokens: number;
  /** Tokens written to the prompt cache for one hour. */
  readonly cacheWrite1hTokens: number;
  readonly imageInputTokens: number;
  readonly cachedImageInputTokens: number;
  readonly imageOutputTokens: number;
  /** How many of `inputTokens` are sound. */
  readonly audioInputTokens: number;
  /** How many of `cacheReadTokens` are sound. */
  readonly cachedAudioInputTokens: number;
  /** Images produced. */
  readonly images: number;
  /** Source images of an edit, or their begun megapixels, where the provider is paid for them. */
  readonly sourceImages: number;
  /** Searches of the web that the provider made for the answer, each at a price of its own. */
  readonly webSearches: number;
  /** Searches of stored files, the same way. */
  readonly fileSearches: number;
  /** The memory of all containers in which the provider ran code for the answer. */
  readonly containerGigabytes: number;
  /** What the tokens cost more than listed, in percent: a faster answer, or one made in one country. */
  readonly surchargePercent: number;
  /** The tier of service in which the answer was made, where it is not the usual one. */
  readonly serviceTier?: string;
  /**
   * What another model consumed that the one which answers used by a tool, each
   * time; it has a price of its own.
   */
  readonly help?: readonly Usage[];
  /** What all of it costs by the provider's own word, where it says that with the counts. */
  readonly told?: Units;
}

/** What a provider's own tools did for an answer, and in which tier it was made, where no usage says so. */
export interface ToolsSeen {
  readonly tools?: Partial<Usage> | undefined;
}

/** What a call that was never answered has consumed. */
export const NO_USAGE: Usage = Object.freeze({
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  cacheWrite1hTokens: 0,
  imageInputTokens: 0,
  cachedImageInputTokens: 0,
  imageOutputTokens: 0,
  audioInputTokens: 0,
  cachedAudioInputTokens: 0,
  images: 0,
  sourceImages: 0,
  webSearches: 0,
  fileSearches: 0,
  containerGigabytes: 0,
  surchargePercent: 0,
});

/** Both usages, count by count, at the higher surcharge; what was told, and the tier, left out. */
export function addedUsage(one: Usage, other: Usage): Usage {
  const surchargePercent = Math.max(one.surchargePercent, other.surchargePercent);
  const help = [...(one.help ?? []), ...(other.help ?? [])];
  return {
    ...counted(one, (name, count) => count + other[name]),
    surchargePercent,
    ...(help.length > 0 && { help }),
  };
}

/** All that was consumed, that of the model which helped among it. */
export function withHelp({ help = [], ...usage }: Usage): Usage {
  return help.reduce<Usage>(addedUsage, usage);
}

/** A share of each count, from 0 to 1, rounded up; help, and what was told, left out. */
export function sharedUsage(usage: Usage, share: number): Usage {
  const { surchargePercent, serviceTier } = usage;
  const counts = counted(usage, (_, count) => Math.ceil(count * share));
  return { ...counts, surchargePercent, ...(serviceTier !== undefined && { serviceTier }) };
}

type Counts = Omit<Usage, 'help' | 'told' | 'serviceTier'>;

function counted(usage: Usage, change: (name: keyof Counts, count: number) => number): Usage {
  const names = Object.keys(NO_USAGE) as (keyof Counts)[];
  return Object.fromEntries(
    names.map((name) => [name, change(name, usage[name])]),
  ) as unknown as Usage;
}

/** Bytes of text to a token: low for prose, so that an estimate is rather too high. */
export const BYTES_PER_TOKEN = 3;

const MOST_TOKENS = 1_000_000_000;

/** A count as a provider may report it: a whole number from 0 to 10^9, else undefined. */
export function tokenCount(value: unknown): number | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return value >= 0 && value <= MOST_TOKENS ? value : undefined;
}

/** A count that is left out where it is zero; undefined for one that is told and is none. */
export function countOrZero(value: unknown): number | undefined {
  return value === undefined || value === null ? 0 : tokenCount(value);
}
