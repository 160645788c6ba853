import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const EDIT = { edits: 'only' } as const;
const MASKED = { edits: 'only', mask: true } as const;

/** Stability AI's models, and its edits, which are models here. https://platform.stability.ai/pricing */
export const models: readonly ModelSpec[] = [
  imageModel('stable-image-ultra', 'Stable Image Ultra', { edits: true }),
  imageModel('stable-image-core', 'Stable Image Core'),
  imageModel('sd3.5-large', 'Stable Diffusion 3.5 Large', { edits: true }),
  imageModel('sd3.5-large-turbo', 'Stable Diffusion 3.5 Large Turbo', { edits: true }),
  imageModel('sd3.5-medium', 'Stable Diffusion 3.5 Medium', { edits: true }),
  imageModel('sd3.5-flash', 'Stable Diffusion 3.5 Flash', { edits: true }),
  imageModel('inpaint', 'Paints where a mask is white', MASKED),
  imageModel('erase', 'Erases where a mask is white', MASKED),
  imageModel('outpaint', 'Paints beyond the edges: left, right, up, down', EDIT),
  imageModel('search-and-replace', 'Replaces what search_prompt names', EDIT),
  imageModel('search-and-recolor', 'Recolours what select_prompt names', EDIT),
  imageModel('remove-background', 'Takes the background away', EDIT),
  imageModel('sketch', 'Draws after a sketch', EDIT),
  imageModel('structure', 'Draws after the structure of an image', EDIT),
  imageModel('style', 'Draws in the style of an image', EDIT),
];
