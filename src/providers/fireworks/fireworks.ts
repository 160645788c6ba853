import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { fireworksImages } from '../dialects/images/fireworks-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/** Fireworks. https://docs.fireworks.ai/api-reference/post-chatcompletions */
export const fireworks = openaiCompatible({
  name: 'fireworks',
  baseUrl: 'https://api.fireworks.ai/inference/v1',
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: {
    messages: [chatDialect({ thinksIn: ['reasoning_content'] })],
    // https://docs.fireworks.ai/api-reference/creates-an-embedding-vector-representing-the-input-text
    embeddings: [openaiEmbeddings({ fields: { user: undefined } })],
    ...imageEndpoints(fireworksImages),
  },
});
