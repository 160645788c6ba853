import { huggingfaceEmbeddings } from '../dialects/embeddings/huggingface-embeddings.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { MAX_TOKENS_ONLY } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Hugging Face. https://huggingface.co/docs/inference-providers/tasks/chat-completion */
export const huggingface = openaiCompatible({
  name: 'huggingface',
  baseUrl: 'https://router.huggingface.co/v1',
  models,
  endpoints: {
    messages: [
      chatDialect({
        fields: MAX_TOKENS_ONLY,
        thinksIn: ['reasoning', 'reasoning_content', 'reasoning_details'],
      }),
    ],
    embeddings: [huggingfaceEmbeddings],
  },
});
