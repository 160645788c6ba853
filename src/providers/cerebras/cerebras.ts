import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Cerebras. https://inference-docs.cerebras.ai/api-reference/chat-completions */
export const cerebras = openaiCompatible({
  name: 'cerebras',
  baseUrl: 'https://api.cerebras.ai/v1',
  models,
  endpoints: { messages: [chatDialect({ thinksIn: ['reasoning'] })] },
});
