import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Groq. https://console.groq.com/docs/api-reference */
export const groq = openaiCompatible({
  name: 'groq',
  baseUrl: 'https://api.groq.com/openai/v1',
  models,
  endpoints: {
    messages: [
      chatDialect({
        thinksIn: ['reasoning'],
        mostStops: 4,
        // https://console.groq.com/docs/openai
        refuses: ['logit_bias', 'logprobs', 'top_logprobs'],
        namesNobody: true,
        tellsLogprobs: 'none',
        answersOnce: true,
        // https://console.groq.com/docs/structured-outputs
        answersBySchema: 'where-known',
      }),
    ],
  },
});
