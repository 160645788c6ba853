import { ABILITIES, able } from '../contract/ability.js';
import { type Model } from '../contract/model.js';
import { type RequestShape } from './request-shape.js';

/** Why a model is left out, in the order in which the reasons are looked for. */
export const DROP_REASONS = [
  'disabled',
  'not_allowed',
  'region',
  'endpoint',
  'hosted_tools',
  'logprobs',
  ...ABILITIES,
  'context_length',
  'max_output_tokens',
  'credit',
  'unhealthy',
] as const;

/** One of them. */
export type DropReason = (typeof DROP_REASONS)[number];

/** The first thing that a request needs and the model does not have; undefined where it has all. */
export function missing(model: Model, shape: RequestShape): DropReason | undefined {
  const { needs, inputTokens, mostOutput } = shape;
  const lacked = ABILITIES.find((ability) => needs.has(ability) && !able(model, ability));
  if (lacked) return lacked;
  const { contextLength, maxOutputTokens } = model;
  if (contextLength !== undefined && inputTokens + (mostOutput ?? 0) > contextLength) {
    return 'context_length';
  }
  if (maxOutputTokens !== undefined && mostOutput !== undefined && mostOutput > maxOutputTokens) {
    return 'max_output_tokens';
  }
  return undefined;
}
