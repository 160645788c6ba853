import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

/** Google's models that draw, newest first. https://ai.google.dev/gemini-api/docs/image-generation, …/deprecations */
export const imageModels: readonly ModelSpec[] = [
  imageModel('gemini-nano-banana-2.1', 'Nano Banana 2.1', { edits: true }, '2026-10-06'),
  imageModel('gemini-3.1-flash-lite-image', 'Nano Banana 2 Lite', { edits: true }),
  imageModel(
    'gemini-3.1-flash-image',
    'Nano Banana 2 (shut down by Google on 2026-10-29)',
    { edits: true },
    '2026-05-28',
  ),
  imageModel('gemini-3-pro-image', 'Nano Banana Pro', { edits: true }, '2026-05-28'),
  imageModel(
    'gemini-2.5-flash-image',
    'Nano Banana (shut down by Google on 2026-10-02)',
    { edits: true },
    '2025-10-02',
  ),
  ...[
    'imagen-4.0-ultra-generate-001',
    'imagen-4.0-generate-001',
    'imagen-4.0-fast-generate-001',
  ].map((name) =>
    imageModel(name, 'Imagen 4 (shut down by Google on 2026-08-17)', { most: 4 }, '2025-08-14'),
  ),
];
