import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Jina AI, which only embeds here. https://api.jina.ai/redoc */
export const jina = openaiCompatible({
  name: 'jina',
  baseUrl: 'https://api.jina.ai/v1',
  models,
  endpoints: {
    embeddings: [
      openaiEmbeddings({ fields: { user: undefined }, textOnly: true, limits: { items: 512 } }),
    ],
  },
});
