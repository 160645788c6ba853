import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Mistral. https://docs.mistral.ai/api */
export const mistral = openaiCompatible({
  name: 'mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  models,
});
