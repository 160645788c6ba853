import { imageEndpoints } from '../dialects/images/image-dialect.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { MAX_TOKENS_ONLY } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { togetherImages } from '../dialects/images/together-images.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';
import { imageModels } from './models-images.js';

/** Together AI. https://docs.together.ai/reference/chat-completions-1 */
export const together = openaiCompatible({
  name: 'together',
  baseUrl: 'https://api.together.xyz/v1',
  models: [...models, ...embeddingModels, ...imageModels],
  endpoints: {
    messages: [
      chatDialect({ fields: MAX_TOKENS_ONLY, thinksIn: ['reasoning', 'reasoning_content'] }),
    ],
    // https://docs.together.ai/reference/embeddings
    embeddings: [openaiEmbeddings({ fields: { user: undefined }, textOnly: true })],
    ...imageEndpoints(togetherImages),
  },
});
