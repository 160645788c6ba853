import { openaiEmbeddings } from '../dialects/embeddings/openai-embeddings.js';
import { openaiCompatible } from '../openai-compatible.js';
import { models } from './models.js';

/** Voyage AI, which only embeds. https://docs.voyageai.com/reference/embeddings-api */
export const voyage = openaiCompatible({
  name: 'voyage',
  baseUrl: 'https://api.voyageai.com/v1',
  models,
  endpoints: {
    embeddings: [
      openaiEmbeddings({
        fields: { dimensions: 'output_dimension', user: undefined },
        encodings: ['base64'],
        textOnly: true,
        // Larger models take fewer tokens; this much is safe with all.
        limits: { items: 1_000, tokens: 120_000 },
      }),
    ],
  },
});
