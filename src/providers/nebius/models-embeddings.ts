import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Nebius Token Factory's embedding models. https://tokenfactory.nebius.com/model-catalog.md */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('Qwen/Qwen3-Embedding-8B', {
    context: 32_768,
    dimensions: 4_096,
    shortens: true,
    items: 2_048,
    released: '2025-06-05',
  }),
];
