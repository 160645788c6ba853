import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Jina AI's embedding models for text, newest first. https://jina.ai/models */
export const models: readonly ModelSpec[] = [
  embeddingModel('jina-embeddings-v5-text-small', {
    context: 32_768,
    dimensions: 1_024,
    shortens: true,
    items: 512,
    released: '2026-02-18',
  }),
  embeddingModel('jina-embeddings-v5-text-nano', {
    context: 8_192,
    dimensions: 768,
    shortens: true,
    items: 512,
    released: '2026-02-18',
  }),
  embeddingModel('jina-embeddings-v4', {
    context: 32_768,
    dimensions: 2_048,
    shortens: true,
    items: 512,
    released: '2025-06-24',
  }),
  embeddingModel('jina-embeddings-v3', {
    context: 8_192,
    dimensions: 1_024,
    shortens: true,
    items: 512,
    released: '2024-09-18',
  }),
  embeddingModel('jina-code-embeddings-1.5b', {
    context: 32_768,
    dimensions: 1_536,
    shortens: true,
    items: 512,
    released: '2025-09-01',
  }),
];
