import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/**
 * Perplexity's embedding models, whose vectors are bytes.
 * https://docs.perplexity.ai/docs/embeddings/standard-embeddings
 */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('pplx-embed-v1-4b', {
    context: 32_768,
    dimensions: 2_560,
    shortens: true,
    items: 512,
    released: '2026-02-26',
  }),
  embeddingModel('pplx-embed-v1-0.6b', {
    context: 32_768,
    dimensions: 1_024,
    shortens: true,
    items: 512,
    released: '2026-02-26',
  }),
];
