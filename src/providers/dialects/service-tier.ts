import { type Model } from '../../contract/model.js';
import { type Usage } from '../../contract/usage.js';
import { type Fields } from '../../json/values.js';
import { isSubstitute } from './substitute-model.js';

/**
 * A usage with the tier of service in which OpenAI says that the answer was made, which may be another one
 * than was asked for. https://developers.openai.com/api/docs/guides/fast-mode, …/guides/flex-processing
 */
export function inItsTier(usage: Usage | undefined, answer: Answer | undefined): Usage | undefined {
  const tier = answer?.service_tier;
  if (!usage || typeof tier !== 'string' || tier === 'default') return usage;
  return { ...usage, serviceTier: tier };
}

interface Answer {
  readonly service_tier?: unknown;
}

/**
 * The tier of service that a chat asks OpenAI for; undefined for one that a model has in whose place it
 * answers, such as Groq's `on_demand`, which OpenAI refuses.
 */
export function suitedTier(
  {
    model: named,
    service_tier: tier,
  }: { readonly model?: unknown; readonly service_tier?: unknown },
  model: Pick<Model, 'id'>,
): unknown {
  return isSubstitute(named, model) && !TIERS.has(tier) ? undefined : tier;
}

/**
 * The tier of service that a Claude is asked for which the caller did not name: Anthropic refuses another
 * maker's, such as `flex`, and the clouds have none.
 */
export function claudesTier({ service_tier: tier }: Fields, { provider }: Pick<Model, 'provider'>) {
  const isCloud = provider === 'bedrock' || provider === 'vertex';
  return !isCloud && CLAUDES_TIERS.has(tier) ? tier : undefined;
}

/** https://docs.anthropic.com/en/api/service-tiers */
const CLAUDES_TIERS = new Set<unknown>(['auto', 'standard_only']);

/** https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create */
const TIERS = new Set<unknown>([
  'auto',
  'default',
  'flex',
  'fast',
  'priority',
  'ultrafast',
  'scale',
]);
