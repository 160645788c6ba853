import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Fireworks. https://docs.fireworks.ai/api-reference/post-chatcompletions */
export const fireworks = openaiCompatible({
  name: 'fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  models,
  endpoints: { messages: openaiDialect.messages, embeddings: openaiDialect.embeddings },
});
