import { type ModelSpec } from '../../contract/model.js';
import { imageModels as googleModels } from '../google/models-images.js';
import { imageModel } from '../image-model.js';

/**
 * The same models as on the Gemini API, and the one that edited with masks.
 * https://cloud.google.com/vertex-ai/generative-ai/docs/models
 */
export const imageModels: readonly ModelSpec[] = [
  ...googleModels,
  imageModel(
    'imagen-3.0-capability-001',
    'Imagen 3 for edits (shut down by Google in 2026)',
    { most: 4, edits: 'only', mask: true },
    '2024-12-10',
  ),
];
