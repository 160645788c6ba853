import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** OpenRouter. https://openrouter.ai/docs/api-reference/overview */
export const openrouter = openaiCompatible({
  name: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  models,
  endpoints: {
    messages: [chatDialect({ thinkingHistory: 'returned' })],
    embeddings: openaiDialect.embeddings,
  },
});
