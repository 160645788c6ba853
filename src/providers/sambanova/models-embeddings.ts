import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** SambaNova's embedding models. https://docs.sambanova.ai/docs/en/models/sambacloud-models */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('E5-Mistral-7B-Instruct', { context: 4_096, dimensions: 4_096, items: 2_048 }),
];
