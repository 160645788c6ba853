import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** DeepInfra. https://docs.deepinfra.com/api-reference/chat-completions/openai-chat-completions */
export const deepinfra = openaiCompatible({
  name: 'deepinfra',
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  models,
  endpoints: { messages: openaiDialect.messages, embeddings: openaiDialect.embeddings },
});
