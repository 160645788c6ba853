import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Moonshot AI. https://platform.moonshot.ai/docs/api/chat */
export const moonshot = openaiCompatible({
  name: 'moonshot',
  baseUrl: 'https://api.moonshot.ai/v1',
  models,
  endpoints: {
    messages: [
      chatDialect({
        // It is refused beside `thinking`.
        fields: { reasoning_effort: undefined },
        thinkingHistory: 'required',
        thinksIn: ['reasoning_content'],
        thinkingSwitch: 'thinking',
        // https://platform.kimi.ai/docs/api/models-overview
        refusedByReasoning: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty'],
        mostStops: 5,
        temperatures: [0, 1],
      }),
    ],
  },
});
