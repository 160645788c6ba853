import { type ModelSpec } from '../../contract/model.js';
import { sizesOf } from '../dialects/images/image-size.js';
import { XAI_SHAPES } from '../dialects/images/xai-images.js';
import { imageModel } from '../image-model.js';

const GROK = { most: 10, edits: true, remoteUrls: true, sizes: sizesOf(XAI_SHAPES) };

/** xAI's models that draw. https://docs.x.ai/docs/models */
export const imageModels: readonly ModelSpec[] = [
  imageModel('grok-imagine-image-2.0', 'Grok Imagine 2.0', GROK),
  imageModel('grok-imagine-image-quality', 'Grok Imagine, quality', GROK),
  imageModel('grok-imagine-image', 'Grok Imagine', GROK),
];
