import { deepseekTurns, refuseFiles } from '../dialects/openai-chat/deepseek-turns.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { MAX_TOKENS_ONLY } from '../dialects/openai-chat/openai-chat-quirks.js';
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
        fields: MAX_TOKENS_ONLY,
        thinkingHistory: 'required',
        thinksIn: ['reasoning_content'],
        thinkingSwitch: 'thinking',
        turns: deepseekTurns,
        refuse: refuseFiles,
        // https://api-docs.deepseek.com/guides/json_mode
        answersBySchema: 'none',
        // https://api-docs.deepseek.com/guides/reasoning_model
        tellsLogprobs: 'unless-reasoning',
      }),
    ],
  },
});
