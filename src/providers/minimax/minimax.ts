import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** MiniMax. https://platform.minimax.io/docs/api-reference/text-openai-api */
export const minimax = openaiCompatible({
  name: 'minimax',
  baseUrl: 'https://api.minimax.io/v1',
  models,
  endpoints: {
    messages: [
      chatDialect({
        // Without it the thinking stands in the text as well.
        // https://platform.minimax.io/docs/api-reference/text-openai-api
        asks: { reasoning_split: true },
        thinkingHistory: 'returned',
        thinksIn: ['reasoning_content', 'reasoning_details'],
        provesNothing: true,
        // 0 is refused. https://platform.minimax.io/docs/api-reference/text-chat
        temperatures: [0.01, 1],
      }),
    ],
  },
});
