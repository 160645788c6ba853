import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** xAI. https://docs.x.ai/docs/api-reference */
export const xai = openaiCompatible({
  name: 'xai',
  baseUrl: 'https://api.x.ai/v1',
  models,
  endpoints: { messages: [chatDialect({ thinkingHistory: 'returned' })] },
});
