import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const EDITS = { edits: true, remoteUrls: true } as const;

/** Black Forest Labs's models. https://docs.bfl.ai/quick_start/pricing */
export const models: readonly ModelSpec[] = [
  imageModel('flux-2-max', 'FLUX.2 [max]', EDITS),
  imageModel('flux-2-pro', 'FLUX.2 [pro]', EDITS, '2025-11-25'),
  imageModel('flux-2-flex', 'FLUX.2 [flex]', EDITS, '2025-11-25'),
  imageModel('flux-2-klein-9b', 'FLUX.2 [klein] 9B', EDITS),
  imageModel('flux-2-klein-4b', 'FLUX.2 [klein] 4B', EDITS),
  imageModel('flux-kontext-max', 'FLUX.1 Kontext [max]', EDITS, '2025-05-29'),
  imageModel('flux-kontext-pro', 'FLUX.1 Kontext [pro]', EDITS, '2025-05-29'),
  imageModel('flux-pro-1.1-ultra', 'FLUX1.1 [pro] Ultra', {}, '2024-11-06'),
  imageModel('flux-pro-1.1', 'FLUX1.1 [pro]', {}, '2024-10-02'),
  imageModel('flux-dev', 'FLUX.1 [dev]', {}, '2024-08-01'),
  imageModel(
    'flux-pro-1.0-fill',
    'FLUX.1 Fill [pro]: paints where a mask is white',
    { edits: 'only', mask: true, remoteUrls: true },
    '2024-11-21',
  ),
];
