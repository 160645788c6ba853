import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Voyage AI's embedding models, newest first. https://docs.voyageai.com/docs/embeddings */
export const models: readonly ModelSpec[] = [
  embeddingModel('voyage-4-large', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2026-01-15',
  }),
  embeddingModel('voyage-4', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2026-01-15',
  }),
  embeddingModel('voyage-4-lite', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2026-01-15',
  }),
  embeddingModel('voyage-3.5', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2025-05-20',
  }),
  embeddingModel('voyage-3.5-lite', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2025-05-20',
  }),
  embeddingModel('voyage-3-large', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2025-01-07',
  }),
  embeddingModel('voyage-code-3', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2024-12-04',
  }),
  embeddingModel('voyage-finance-2', {
    context: 32_000,
    dimensions: 1_024,
    items: 1_000,
    released: '2024-06-03',
  }),
  embeddingModel('voyage-law-2', {
    context: 16_000,
    dimensions: 1_024,
    items: 1_000,
    released: '2024-04-15',
  }),
];
