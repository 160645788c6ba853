import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const EDITS = { edits: true, remoteUrls: true } as const;

/** OpenRouter's models that draw. https://openrouter.ai/models?output_modalities=image */
export const imageModels: readonly ModelSpec[] = [
  imageModel('google/gemini-3-pro-image', 'Nano Banana Pro', EDITS),
  imageModel('openai/gpt-5-image', 'GPT-5 Image', EDITS),
  imageModel('openai/gpt-5-image-mini', 'GPT-5 Image Mini', EDITS),
];
