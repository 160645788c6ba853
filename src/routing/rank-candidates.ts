import { type Model } from '../contract/model.js';
import { type Target } from '../providers/provider.js';
import { estimateInput } from '../tokens/estimate.js';

/** Prompts are longer than answers by about this much, which weighs the two prices. */
const INPUT_WEIGHT = 3n;

/**
 * The candidates that can take the request, the cheapest first and by id where the price is the
 * same, so that equal requests go the same way.
 */
export function rankCandidates(targets: readonly Target[], body: object): readonly Target[] {
  const text = JSON.stringify(body);
  const wantsTools = isFilled((body as { tools?: unknown }).tools);
  const wantsImages = /"type":"(image|image_url)"/.test(text);
  const tokens = estimateInput(body);
  return targets
    .filter(({ model: { capabilities, contextLength } }) => {
      if (wantsTools && !capabilities.supports_function_calling) return false;
      if (wantsImages && !capabilities.input_modalities?.includes('image')) return false;
      return contextLength === undefined || tokens <= contextLength;
    })
    .sort((one, other) => {
      const difference = blendedPrice(one.model) - blendedPrice(other.model);
      if (difference !== 0n) return difference < 0n ? -1 : 1;
      return one.model.id < other.model.id ? -1 : 1;
    });
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function blendedPrice({ pricing }: Model): bigint {
  return INPUT_WEIGHT * (pricing.inputPerToken ?? 0n) + (pricing.outputPerToken ?? 0n);
}
