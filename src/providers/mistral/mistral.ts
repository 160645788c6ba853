import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Mistral. https://docs.mistral.ai/api */
export const mistral = openaiCompatible({
  name: 'mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  models,
  endpoints: {
    messages: [
      chatDialect({
        fields: {
          max_completion_tokens: 'max_tokens',
          seed: 'random_seed',
          user: undefined,
          stream_options: undefined,
        },
        shortCallIds: true,
        thinkingHistory: 'returned',
      }),
    ],
  },
});
