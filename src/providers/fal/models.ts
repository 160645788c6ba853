import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const MAKES = { most: 4 } as const;
const EDITS = { most: 4, edits: 'only', remoteUrls: true } as const;

/** Models on fal; any other is a row of `MODELS_FILE`. https://fal.ai/models */
export const models: readonly ModelSpec[] = [
  imageModel('fal-ai/flux-2-pro', 'FLUX.2 [pro]'),
  imageModel('fal-ai/flux-2-pro/edit', 'FLUX.2 [pro], edits', { edits: 'only', remoteUrls: true }),
  imageModel('fal-ai/flux/schnell', 'FLUX.1 [schnell]', MAKES),
  imageModel('fal-ai/flux/dev', 'FLUX.1 [dev]', MAKES),
  imageModel('fal-ai/flux-pro/v1.1-ultra', 'FLUX1.1 [pro] Ultra', MAKES),
  imageModel('fal-ai/flux-pro/kontext', 'FLUX.1 Kontext [pro]', EDITS),
  imageModel('fal-ai/flux-pro/kontext/max', 'FLUX.1 Kontext [max]', EDITS),
  imageModel('fal-ai/nano-banana-pro', 'Nano Banana Pro', MAKES),
  imageModel('fal-ai/nano-banana-pro/edit', 'Nano Banana Pro, edits', EDITS),
  imageModel('fal-ai/qwen-image', 'Qwen-Image', MAKES),
  imageModel('fal-ai/bytedance/seedream/v4.5/text-to-image', 'Seedream 4.5', MAKES),
  imageModel('fal-ai/bytedance/seedream/v4.5/edit', 'Seedream 4.5, edits', EDITS),
];
