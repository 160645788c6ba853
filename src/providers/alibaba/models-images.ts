import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const QWEN_2 = { most: 6, edits: true, remoteUrls: true } as const;
const QWEN_EDIT = { most: 6, edits: 'only', remoteUrls: true } as const;
const WAN = { most: 4, edits: true, remoteUrls: true } as const;

/** Alibaba's models that draw. https://www.alibabacloud.com/help/en/model-studio/models */
export const imageModels: readonly ModelSpec[] = [
  imageModel('qwen-image-2.0-pro', 'Qwen-Image 2.0 Pro', QWEN_2),
  imageModel('qwen-image-2.0', 'Qwen-Image 2.0', QWEN_2),
  imageModel('qwen-image-max', 'Qwen-Image Max'),
  imageModel('qwen-image-plus', 'Qwen-Image Plus'),
  imageModel('qwen-image-edit-max', 'Qwen-Image-Edit Max', QWEN_EDIT),
  imageModel('qwen-image-edit-plus', 'Qwen-Image-Edit Plus', QWEN_EDIT),
  imageModel('wan2.6-image', 'Wan 2.6 Image', { ...WAN, edits: 'only' }),
  imageModel('wan2.6-t2i', 'Wan 2.6', { most: 4 }),
];
