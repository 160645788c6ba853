import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiDialect } from '../dialects/openai-dialect.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';

/** Nebius Token Factory. https://docs.tokenfactory.nebius.com/api-reference/introduction */
export const nebius = openaiCompatible({
  name: 'nebius',
  baseUrl: 'https://api.tokenfactory.nebius.com/v1',
  models: [...models, ...embeddingModels],
  endpoints: {
    messages: [chatDialect({ thinksIn: ['reasoning', 'reasoning_content'] })],
    embeddings: [openaiEmbeddings({ encodings: ['float', 'base64'] })],
    images: openaiDialect.images,
  },
});
