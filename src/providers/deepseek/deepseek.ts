import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** DeepSeek. https://api-docs.deepseek.com */
export const deepseek = openaiCompatible({
  name: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  models,
});
