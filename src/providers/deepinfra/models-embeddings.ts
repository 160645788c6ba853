import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** DeepInfra's embedding models. https://deepinfra.com/models/embeddings */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('Qwen/Qwen3-Embedding-0.6B', {
    context: 8_192,
    dimensions: 1_024,
    shortens: true,
    items: 1_024,
    released: '2025-06-05',
  }),
  embeddingModel('BAAI/bge-m3', {
    context: 8_192,
    dimensions: 1_024,
    items: 1_024,
    released: '2024-01-30',
  }),
  embeddingModel('intfloat/multilingual-e5-large', {
    context: 512,
    dimensions: 1_024,
    items: 1_024,
  }),
];
