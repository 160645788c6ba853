import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const SERVICE = { edits: 'only' } as const;
const MASKED = { edits: 'only', mask: true } as const;

/** Bedrock's models that draw. https://docs.aws.amazon.com/bedrock/latest/userguide/model-lifecycle.html */
export const imageModels: readonly ModelSpec[] = [
  imageModel('stability.stable-image-ultra-v1:1', 'Stable Image Ultra'),
  imageModel('stability.stable-image-core-v1:1', 'Stable Image Core'),
  imageModel('stability.sd3-5-large-v1:0', 'Stable Diffusion 3.5 Large', { edits: true }),
  imageModel('us.stability.stable-image-inpaint-v1:0', 'Paints where a mask is white', MASKED),
  imageModel('us.stability.stable-image-erase-object-v1:0', 'Erases where a mask is white', MASKED),
  imageModel(
    'us.stability.stable-outpaint-v1:0',
    'Paints beyond the edges: left, right, up, down',
    SERVICE,
  ),
  imageModel(
    'us.stability.stable-image-search-replace-v1:0',
    'Replaces what search_prompt names',
    SERVICE,
  ),
  imageModel(
    'us.stability.stable-image-search-recolor-v1:0',
    'Recolours what select_prompt names',
    SERVICE,
  ),
  imageModel(
    'us.stability.stable-image-remove-background-v1:0',
    'Takes the background away',
    SERVICE,
  ),
  imageModel('us.stability.stable-image-control-sketch-v1:0', 'Draws after a sketch', SERVICE),
  imageModel(
    'us.stability.stable-image-control-structure-v1:0',
    'Draws after the structure of an image',
    SERVICE,
  ),
  imageModel(
    'us.stability.stable-image-style-guide-v1:0',
    'Draws in the style of an image',
    SERVICE,
  ),
  imageModel(
    'amazon.nova-canvas-v1:0',
    'Nova Canvas (shut down by AWS on 2026-09-30)',
    { most: 5, edits: true, mask: true },
    '2024-12-03',
  ),
  imageModel(
    'amazon.titan-image-generator-v2:0',
    'Titan Image Generator v2 (shut down by AWS in 2026)',
    { most: 5, edits: true, mask: true },
    '2024-08-06',
  ),
];
