import { type Usage } from '../../contract/usage.js';

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
