/** What an image counts for, whatever its size, or another attachment that cannot be looked into. */
export const TOKENS_PER_ATTACHMENT = 1_600;

/**
 * The most input tokens that a model reads an image as, however large. Models of which no number is published
 * have those of the others, which scale images down to a million and a half pixels at most.
 *
 * @param id `provider/name`, of which the maker's own name of the model is a part.
 */
export function mostTokensSeen(id: string): number {
  return MOST_SEEN.find(([models]) => models.test(id))?.[1] ?? TOKENS_PER_ATTACHMENT;
}

/** The first that fits counts. */
const MOST_SEEN: readonly (readonly [models: RegExp, tokens: number])[] = [
  // Eight tiles of 5,667 and 2,833 for the whole. https://developers.openai.com/api/docs/guides/images-vision
  [/gpt-4o-mini/, 48_169],
  // 1,536 patches, each of them 2.46, 1.72 and 1.62 tokens.
  [/gpt-(?:4\.1|5)-nano/, 3_779],
  [/o4-mini/, 2_642],
  [/gpt-(?:4\.1|5)-mini/, 2_489],
  // 10,000 patches where the detail is `original`, and bills show 1.2 tokens for each.
  [/gpt-(?:5\.[4-9]|[6-9])/, 12_000],
  // Sources of an image: 6,240 in high fidelity, beside six tiles of 129 and 65.
  [/gpt-image/, 7_079],
  // 2,576 pixels along the longer side. https://platform.claude.com/docs/en/build-with-claude/vision
  [/claude-(?:opus-4[.-][7-9]|[a-z]+-[5-9])/, 4_784],
  // `media_resolution_ultra_high`. https://ai.google.dev/gemini-api/docs/media-resolution
  [/gemini-[3-9]/, 2_240],
  // `vl_high_resolution_images`. https://www.alibabacloud.com/help/en/model-studio/vision
  [/qwen|qvq/, 16_384],
  // Patches of 16 pixels in an image of 1,024, with an end of each row.
  [/pixtral|mistral|magistral|ministral/, 4_160],
  // Six tiles of 256 and the whole. https://docs.x.ai/docs/guides/image-understanding
  [/grok/, 1_792],
];
