import { imageEndpoints } from '../dialects/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat-dialect.js';
import { openaiEmbeddings } from '../dialects/openai-embeddings.js';
import { openrouterImages } from '../dialects/openrouter-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/** OpenRouter. https://openrouter.ai/docs/api-reference/overview */
export const openrouter = openaiCompatible({
  name: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: {
    messages: [chatDialect({ thinkingHistory: 'returned' })],
    // https://openrouter.ai/docs/api/reference/embeddings
    embeddings: [openaiEmbeddings({ encodings: ['float', 'base64'] })],
    ...imageEndpoints(openrouterImages),
  },
});
