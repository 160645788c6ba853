import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Mistral's embedding models. https://docs.mistral.ai/capabilities/embeddings/overview */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('mistral-embed', {
    context: 8_192,
    dimensions: 1_024,
    items: 256,
    released: '2023-12-11',
  }),
  embeddingModel('codestral-embed', {
    context: 8_192,
    dimensions: 1_536,
    shortens: true,
    items: 256,
    released: '2025-05-28',
  }),
  embeddingModel('codestral-embed-2505', {
    context: 8_192,
    dimensions: 1_536,
    shortens: true,
    items: 256,
    released: '2025-05-28',
  }),
];
