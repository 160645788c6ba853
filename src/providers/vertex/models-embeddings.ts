import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/**
 * The embedding models of Vertex AI. Gemini's take one text a call.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/embeddings/get-text-embeddings
 */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('gemini-embedding-2', {
    context: 8_192,
    dimensions: 3_072,
    shortens: true,
    items: 1,
    released: '2026-04-22',
  }),
  embeddingModel('gemini-embedding-001', {
    context: 2_048,
    dimensions: 3_072,
    shortens: true,
    items: 1,
    released: '2025-05-20',
  }),
  embeddingModel('text-embedding-005', {
    context: 2_048,
    dimensions: 768,
    shortens: true,
    items: 250,
    released: '2024-11-18',
  }),
  embeddingModel('text-multilingual-embedding-002', {
    context: 2_048,
    dimensions: 768,
    shortens: true,
    items: 250,
    released: '2024-05-14',
  }),
];
