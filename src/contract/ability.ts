import { type Capabilities, type Model } from './model.js';

/** What not every model can do, in the order in which it is looked for. */
export const ABILITIES = [
  'image_input',
  'document_input',
  'audio_input',
  'video_input',
  'image_output',
  'audio_output',
  'tools',
  'tool_choice',
  'web_search',
  'structured_output',
  'thinking',
] as const;

/** One of them. */
export type Ability = (typeof ABILITIES)[number];

/** Whether a model can do it, by what is known of it; what nobody says of it, it cannot. */
export function able({ capabilities }: Pick<Model, 'capabilities'>, ability: Ability): boolean {
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

/** What a request may need that is looked for among `input_modalities`, and what is a flag of its own. */
type Told = 'image_input' | 'document_input' | 'tools' | 'tool_choice' | 'structured_output';

const TOLD_BY: Readonly<Record<Told, keyof Capabilities>> = {
  image_input: 'input_modalities',
  document_input: 'input_modalities',
  tools: 'supports_function_calling',
  tool_choice: 'supports_tool_choice',
  structured_output: 'supports_response_schema',
};

/** Whether it is known that a model cannot do it: of an operator's own model, that the operator says so. */
export function isUnable(model: Pick<Model, 'capabilities' | 'told'>, ability: Told): boolean {
  const { told } = model;
  return !able(model, ability) && (told === undefined || told[TOLD_BY[ability]] !== undefined);
}
