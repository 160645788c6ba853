import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const KONTEXT = { edits: true, remoteUrls: true } as const;

/** Fireworks's models that draw. https://fireworks.ai/models?type=image */
export const imageModels: readonly ModelSpec[] = [
  imageModel('accounts/fireworks/models/flux-kontext-max', 'FLUX.1 Kontext [max]', KONTEXT),
  imageModel('accounts/fireworks/models/flux-kontext-pro', 'FLUX.1 Kontext [pro]', KONTEXT),
  imageModel('accounts/fireworks/models/flux-1-dev-fp8', 'FLUX.1 [dev]'),
  imageModel('accounts/fireworks/models/flux-1-schnell-fp8', 'FLUX.1 [schnell]'),
];
