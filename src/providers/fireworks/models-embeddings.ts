import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Fireworks's embedding models. https://docs.fireworks.ai/guides/querying-embeddings-models */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('fireworks/qwen3-embedding-8b', {
    context: 40_960,
    dimensions: 4_096,
    shortens: true,
    items: 2_048,
    released: '2025-06-05',
  }),
  embeddingModel('nomic-ai/nomic-embed-text-v1.5', {
    context: 8_192,
    dimensions: 768,
    shortens: true,
    items: 2_048,
    released: '2024-02-14',
  }),
];
