import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

/** DeepInfra's models that draw at a price by the image. https://deepinfra.com/models/text-to-image */
export const imageModels: readonly ModelSpec[] = [
  imageModel('Wan-AI/Wan2.7-Image-Edit', 'Wan 2.7 Image', { most: 4, edits: true }),
  imageModel('black-forest-labs/FLUX-1.1-pro', 'FLUX1.1 [pro]', { most: 4 }),
];
