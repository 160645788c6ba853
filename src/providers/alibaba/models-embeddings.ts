import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/**
 * Alibaba Cloud Model Studio's embedding models.
 * https://www.alibabacloud.com/help/en/model-studio/text-embedding-synchronous-api
 */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('text-embedding-v4', {
    context: 8_192,
    dimensions: 1_024,
    shortens: true,
    items: 10,
    released: '2025-06-05',
  }),
  embeddingModel('text-embedding-v3', {
    context: 8_192,
    dimensions: 1_024,
    shortens: true,
    items: 10,
  }),
];
