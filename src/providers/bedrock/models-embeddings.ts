import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/**
 * Embedding models on Amazon Bedrock. Amazon's own take one text a call.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html
 */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('amazon.titan-embed-text-v2:0', {
    context: 8_192,
    dimensions: 1_024,
    shortens: true,
    items: 1,
    released: '2024-04-30',
  }),
  embeddingModel('amazon.titan-embed-text-v1', {
    context: 8_192,
    dimensions: 1_536,
    items: 1,
    released: '2023-09-28',
  }),
  embeddingModel('amazon.nova-2-multimodal-embeddings-v1:0', {
    context: 8_172,
    dimensions: 3_072,
    shortens: true,
    items: 1,
    released: '2025-10-28',
  }),
  embeddingModel('cohere.embed-v4:0', {
    context: 128_000,
    dimensions: 1_536,
    shortens: true,
    items: 96,
    released: '2025-10-02',
  }),
  embeddingModel('us.cohere.embed-v4:0', {
    context: 128_000,
    dimensions: 1_536,
    shortens: true,
    items: 96,
    released: '2025-10-02',
  }),
  embeddingModel('eu.cohere.embed-v4:0', {
    context: 128_000,
    dimensions: 1_536,
    shortens: true,
    items: 96,
    released: '2025-10-02',
  }),
  embeddingModel('global.cohere.embed-v4:0', {
    context: 128_000,
    dimensions: 1_536,
    shortens: true,
    items: 96,
    released: '2025-10-02',
  }),
  embeddingModel('cohere.embed-english-v3', {
    context: 512,
    dimensions: 1_024,
    items: 96,
    released: '2023-11-28',
  }),
  embeddingModel('cohere.embed-multilingual-v3', {
    context: 512,
    dimensions: 1_024,
    items: 96,
    released: '2023-11-28',
  }),
];
