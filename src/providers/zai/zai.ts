import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { MAX_TOKENS_ONLY } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Z.ai. https://docs.z.ai/api-reference/llm/chat-completion */
export const zai = openaiCompatible({
  name: 'zai',
  baseUrl: 'https://api.z.ai/api/paas/v4',
  models,
  endpoints: {
    messages: [
      chatDialect({
        fields: MAX_TOKENS_ONLY,
        thinkingHistory: 'returned',
        thinksIn: ['reasoning_content'],
        thinkingSwitch: 'thinking',
        temperatures: [0, 1],
        // It takes one and answers as it likes. https://docs.z.ai/guides/capabilities/struct-output
        answersBySchema: 'none',
      }),
    ],
  },
});
