import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Perplexity. https://docs.perplexity.ai/api-reference/chat-completions-post */
export const perplexity = openaiCompatible({
  name: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  models,
});
