import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Google's embedding models. https://ai.google.dev/gemini-api/docs/embeddings */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('gemini-embedding-2', {
    context: 8_192,
    dimensions: 3_072,
    shortens: true,
    items: 100,
    released: '2026-04-22',
  }),
  embeddingModel('gemini-embedding-001', {
    context: 2_048,
    dimensions: 3_072,
    shortens: true,
    items: 100,
    released: '2025-07-14',
  }),
];
