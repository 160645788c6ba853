import { mistralTurns } from '../dialects/openai-chat/mistral-turns.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';

/** https://docs.mistral.ai/api/endpoint/chat */
const MISTRALS = new Set([
  ...[
    'model',
    'messages',
    'stream',
    'max_tokens',
    'temperature',
    'top_p',
    'stop',
    'seed',
    'random_seed',
  ],
  ...['tools', 'tool_choice', 'parallel_tool_calls', 'response_format', 'n', 'metadata'],
  ...['presence_penalty', 'frequency_penalty', 'reasoning_effort', 'prompt_mode', 'safe_prompt'],
]);

/** Mistral. https://docs.mistral.ai/api */
export const mistral = openaiCompatible({
  name: 'mistral',
  baseUrl: 'https://api.mistral.ai/v1',
  // https://docs.mistral.ai/capabilities/document_ai/document_qna
  readsDocuments: true,
  models: [...models, ...embeddingModels],
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
        // "Reasoning input is not enabled for this model": https://github.com/mistralai/mistral-vibe/issues/758
        refusesThoughts: true,
        thinksIn: ['content'],
        turns: mistralTurns,
        takes: MISTRALS,
        namesNobody: true,
        tellsLogprobs: 'none',
        temperatures: [0, 1.5],
        // "reasoning_effort='medium' is not supported for this model. Must be one of" none and high:
        // https://github.com/architects-toolkit/SmartHopper/issues/647
        onlyEffort: 'high',
      }),
    ],
    embeddings: [
      openaiEmbeddings({
        fields: { dimensions: 'output_dimension', user: undefined },
        textOnly: true,
        limits: { items: 256, tokens: 16_000 },
      }),
    ],
  },
});
