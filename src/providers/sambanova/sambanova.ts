import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** SambaNova. https://docs.sambanova.ai/docs/en/api-reference/endpoints/chat */
export const sambanova = openaiCompatible({
  name: 'sambanova',
  baseUrl: 'https://api.sambanova.ai/v1',
  models,
});
