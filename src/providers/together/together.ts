import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Together AI. https://docs.together.ai/reference/chat-completions-1 */
export const together = openaiCompatible({
  name: 'together',
  baseUrl: 'https://api.together.xyz/v1',
  models,
  endpoints: { messages: openaiDialect.messages, embeddings: openaiDialect.embeddings },
});
