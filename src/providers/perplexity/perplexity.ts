import { atPath } from '../dialects/dialect-path.js';
import { chatDialect } from '../dialects/openai-chat/openai-chat-dialect.js';
import { MAX_TOKENS_ONLY } from '../dialects/openai-chat/openai-chat-quirks.js';
import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';
import { embeddingModels } from './models-embeddings.js';

/** Vectors come as bytes from -128 to 127. https://docs.perplexity.ai/api-reference/embeddings-post */
const embeddings = openaiEmbeddings({
  fields: { user: undefined },
  textOnly: true,
  bytesInBase64: true,
  limits: { items: 512, tokens: 120_000 },
});

/** Perplexity. https://docs.perplexity.ai/api-reference/chat-completions-post */
export const perplexity = openaiCompatible({
  name: 'perplexity',
  baseUrl: 'https://api.perplexity.ai',
  models: [...models, ...embeddingModels],
  endpoints: {
    messages: [chatDialect({ fields: MAX_TOKENS_ONLY, thinksIn: [], alternates: true })],
    embeddings: [
      atPath(embeddings, (path, { place: { path: base = '' } }) =>
        base.endsWith('/v1') ? path : `/v1${path}`,
      ),
    ],
  },
});
