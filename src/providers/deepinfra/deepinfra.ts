import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { MAX_TOKENS_ONLY } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { deepinfraImages } from '../dialects/images/deepinfra-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/** DeepInfra. https://docs.deepinfra.com/api-reference/chat-completions/openai-chat-completions */
export const deepinfra = openaiCompatible({
  name: 'deepinfra',
  baseUrl: 'https://api.deepinfra.com/v1/openai',
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: {
    messages: [chatDialect({ fields: MAX_TOKENS_ONLY, thinksIn: ['reasoning_content'] })],
    // https://docs.deepinfra.com/embeddings/overview
    embeddings: [openaiEmbeddings({ textOnly: true, limits: { items: 1_024 } })],
    ...imageEndpoints(deepinfraImages),
  },
});
