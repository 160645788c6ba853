import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const FLUX = { most: 4 } as const;
const EDITS = { edits: true, remoteUrls: true } as const;

/**
 * Models on Replicate that are kept up by their makers; any other is a row of `MODELS_FILE`.
 * https://replicate.com/collections/text-to-image
 */
export const models: readonly ModelSpec[] = [
  imageModel('black-forest-labs/flux-2-pro', 'FLUX.2 [pro]', EDITS),
  imageModel('black-forest-labs/flux-kontext-max', 'FLUX.1 Kontext [max]', EDITS),
  imageModel('black-forest-labs/flux-kontext-pro', 'FLUX.1 Kontext [pro]', EDITS),
  imageModel('black-forest-labs/flux-1.1-pro-ultra', 'FLUX1.1 [pro] Ultra'),
  imageModel('black-forest-labs/flux-1.1-pro', 'FLUX1.1 [pro]'),
  imageModel('black-forest-labs/flux-dev', 'FLUX.1 [dev]', {
    ...FLUX,
    edits: true,
    remoteUrls: true,
  }),
  imageModel('black-forest-labs/flux-schnell', 'FLUX.1 [schnell]', FLUX),
  imageModel('google/nano-banana-pro', 'Nano Banana Pro', EDITS),
  imageModel('ideogram-ai/ideogram-v3-quality', 'Ideogram 3 Quality', { ...EDITS, mask: true }),
  imageModel('recraft-ai/recraft-v3', 'Recraft V3'),
];
