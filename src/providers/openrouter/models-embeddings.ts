import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** OpenRouter's embedding models. https://openrouter.ai/models?output_modalities=embeddings */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('openai/text-embedding-3-small', {
    context: 8_192,
    dimensions: 1_536,
    shortens: true,
    items: 2_048,
    released: '2024-01-25',
  }),
  embeddingModel('openai/text-embedding-3-large', {
    context: 8_192,
    dimensions: 3_072,
    shortens: true,
    items: 2_048,
    released: '2024-01-25',
  }),
  embeddingModel('google/gemini-embedding-001', {
    context: 2_048,
    dimensions: 3_072,
    shortens: true,
    items: 100,
    released: '2025-07-14',
  }),
  embeddingModel('qwen/qwen3-embedding-4b', {
    context: 32_768,
    dimensions: 2_560,
    shortens: true,
    items: 2_048,
    released: '2025-06-05',
  }),
  embeddingModel('qwen/qwen3-embedding-0.6b', {
    context: 32_768,
    dimensions: 1_024,
    shortens: true,
    items: 2_048,
    released: '2025-06-05',
  }),
  embeddingModel('voyageai/voyage-4-lite', {
    context: 32_000,
    dimensions: 1_024,
    shortens: true,
    items: 1_000,
    released: '2026-01-15',
  }),
];
