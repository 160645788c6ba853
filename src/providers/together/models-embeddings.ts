import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Together AI's embedding models. https://docs.together.ai/docs/serverless-models */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('intfloat/multilingual-e5-large-instruct', {
    context: 514,
    dimensions: 1_024,
    items: 2_048,
  }),
];
