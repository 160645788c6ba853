import { type ModelSpec } from '../../contract/model.js';
import { embeddingModel } from '../embedding-model.js';

/** Cohere's embedding models. https://docs.cohere.com/docs/cohere-embed */
export const embeddingModels: readonly ModelSpec[] = [
  embeddingModel('embed-v4.0', {
    context: 128_000,
    dimensions: 1_536,
    shortens: true,
    items: 96,
    released: '2025-04-15',
  }),
  embeddingModel('embed-english-v3.0', {
    context: 512,
    dimensions: 1_024,
    items: 96,
    released: '2023-11-02',
  }),
  embeddingModel('embed-multilingual-v3.0', {
    context: 512,
    dimensions: 1_024,
    items: 96,
    released: '2023-11-02',
  }),
  embeddingModel('embed-english-light-v3.0', {
    context: 512,
    dimensions: 384,
    items: 96,
    released: '2023-11-02',
  }),
  embeddingModel('embed-multilingual-light-v3.0', {
    context: 512,
    dimensions: 384,
    items: 96,
    released: '2023-11-02',
  }),
];
