import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** DeepSeek. https://api-docs.deepseek.com */
export const deepseek = openaiCompatible({
  name: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  models,
  endpoints: {
    messages: [
      chatDialect({
        fields: { max_completion_tokens: 'max_tokens' },
        thinkingHistory: 'required',
        thinkingSwitch: true,
      }),
    ],
  },
});
