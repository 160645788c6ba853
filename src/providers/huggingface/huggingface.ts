import { huggingfaceEmbeddings } from '../dialects/huggingface-embeddings.js';
import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Hugging Face. https://huggingface.co/docs/inference-providers/tasks/chat-completion */
export const huggingface = openaiCompatible({
  name: 'huggingface',
  baseUrl: 'https://router.huggingface.co/v1',
  models,
  endpoints: { messages: openaiDialect.messages, embeddings: [huggingfaceEmbeddings] },
});
