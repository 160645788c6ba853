import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';

/** SambaNova. https://docs.sambanova.ai/docs/en/api-reference/endpoints/chat */
export const sambanova = openaiCompatible({
  name: 'sambanova',
  baseUrl: 'https://api.sambanova.ai/v1',
  models: [...models, ...embeddingModels],
  endpoints: {
    messages: [chatDialect({ thinksIn: ['reasoning', 'reasoning_content'] })],
    embeddings: [openaiEmbeddings({ textOnly: true })],
  },
});
