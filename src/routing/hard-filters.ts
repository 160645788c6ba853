import { type Model } from '../contract/model.js';
import { ABILITIES, type Ability } from './ability.js';
import { type RequestShape } from './request-shape.js';

/** Why a model is left out, in the order in which the reasons are looked for. */
export const DROP_REASONS = [
  'disabled',
  'not_allowed',
  'region',
  'endpoint',
  'hosted_tools',
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

function able({ capabilities }: Model, ability: Ability): boolean {
  switch (ability) {
    case 'image_input':
      return includes(capabilities.input_modalities, 'image');
    case 'document_input':
      return (
        includes(capabilities.input_modalities, 'file') ||
        includes(capabilities.input_modalities, 'pdf')
      );
    case 'audio_input':
      return includes(capabilities.input_modalities, 'audio');
    case 'video_input':
      return includes(capabilities.input_modalities, 'video');
    case 'image_output':
      return includes(capabilities.output_modalities, 'image');
    case 'audio_output':
      return includes(capabilities.output_modalities, 'audio');
    case 'tools':
      return capabilities.supports_function_calling === true;
    case 'tool_choice':
      return capabilities.supports_tool_choice === true;
    case 'web_search':
      return capabilities.supports_web_search === true;
    case 'structured_output':
      return capabilities.supports_response_schema === true;
    case 'thinking':
      return capabilities.supports_reasoning === true;
  }
}

function includes(modalities: readonly string[] | undefined, kind: string): boolean {
  return modalities?.includes(kind) === true;
}
