/** What the tokens of an image depend on, as the caller gave it. */
export interface AskedImage {
  readonly size?: unknown;
  readonly quality?: unknown;
  readonly partial_images?: unknown;
}

/**
 * The most tokens that an image of this size and quality takes, and each preview that is streamed of it: an
 * unknown size counts as the largest that is usual, an unknown quality as the best.
 * https://platform.openai.com/docs/guides/image-generation
 *
 * @param model its name at the provider.
 */
export function mostImageTokens(model: string, { size, quality, ...asked }: AskedImage): number {
  const { partial_images: wanted } = asked;
  const previews = typeof wanted === 'number' && wanted > 0 ? Math.min(wanted, MOST_PREVIEWS) : 0;
  const image = PAID_BY_CELLS.test(model) ? inCells(size, quality) : ofThreeSizes(size, quality);
  return image + Math.ceil(previews) * TOKENS_PER_PREVIEW;
}

const MOST_PREVIEWS = 3;
const TOKENS_PER_PREVIEW = 100;

function ofThreeSizes(size: unknown, quality: unknown): number {
  const [square, largest] =
    (typeof quality === 'string' && IMAGE_TOKENS.get(quality)) || HIGH_QUALITY_TOKENS;
  return size === '1024x1024' ? square : largest;
}

const HIGH_QUALITY_TOKENS = [4_160, 6_240] as const;
const IMAGE_TOKENS = new Map<string, readonly [number, number]>([
  ['low', [272, 408]],
  ['medium', [1_056, 1_584]],
]);

/** Since GPT Image 2 there are thousands of sizes, and a square takes more than what is longer and larger. */
const PAID_BY_CELLS = /gpt-image-[2-9]/;

/**
 * As OpenAI's calculator has it: cells along the longer side by the quality, along the other in proportion, and
 * each takes the more tokens the more pixels there are.
 */
function inCells(size: unknown, quality: unknown): number {
  const cells = (typeof quality === 'string' && CELLS.get(quality)) || MOST_CELLS;
  const [, one = USUAL_SIDE, other = USUAL_SIDE] = SIZE.exec(String(size)) ?? [];
  const [width, height] = [Number(one), Number(other)];
  const across = Math.round((cells * Math.min(width, height)) / Math.max(width, height));
  const pixels = Math.min(width * height, MOST_PIXELS);
  return Math.ceil((cells * across * (2_000_000 + pixels)) / 4_000_000);
}

/** Later models have finer steps, of which none takes more. */
const CELLS = new Map([
  ['low', 16],
  ['medium', 48],
]);
const MOST_CELLS = 96;
const SIZE = /^([1-9]\d{1,4})x([1-9]\d{1,4})$/;
/** A square of as many pixels as the largest size has that is chosen for who names none. */
const USUAL_SIDE = 1_254;
const MOST_PIXELS = 8_294_400;
