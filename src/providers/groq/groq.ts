import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** "property 'random_seed' is unsupported" it says to others. https://console.groq.com/docs/api-reference */
const GROQS = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'n', 'stop', 'seed', 'user', 'metadata'],
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'presence_penalty'],
  ...['frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'response_format'],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'functions', 'function_call'],
  ...['reasoning_effort', 'reasoning_format', 'include_reasoning', 'service_tier', 'store'],
  ...['citation_options', 'compound_custom', 'disable_tool_validation', 'documents'],
  ...['include_domains', 'exclude_domains', 'search_settings'],
]);

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
        takes: GROQS,
        namesNobody: true,
        // "reasoning_effort must be one of none or default": https://github.com/earendil-works/pi/issues/1745
        effortless: /\/qwen\//,
        tellsLogprobs: 'none',
        answersOnce: true,
        // https://console.groq.com/docs/structured-outputs
        answersBySchema: 'where-known',
      }),
    ],
  },
});
