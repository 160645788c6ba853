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
