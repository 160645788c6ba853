import { type ModelSpec } from '../../contract/model.js';
import { geminiShapes } from '../dialects/images/gemini-image-shapes.js';
import { sizesOf } from '../dialects/images/image-size.js';
import { IMAGEN_SHAPES } from '../dialects/images/imagen.js';
import { imageModel } from '../image-model.js';

/**
 * Google's models that draw, newest first.
 * https://ai.google.dev/gemini-api/docs/image-generation, …/deprecations
 */
export const imageModels: readonly ModelSpec[] = [
  gemini('gemini-nano-banana-2.1', 'Nano Banana 2.1', '2026-10-06'),
  gemini('gemini-3.1-flash-lite-image', 'Nano Banana 2 Lite'),
  gemini(
    'gemini-3.1-flash-image',
    'Nano Banana 2 (shut down by Google on 2026-10-29)',
    '2026-05-28',
  ),
  gemini('gemini-3-pro-image', 'Nano Banana Pro', '2026-05-28'),
  gemini('gemini-2.5-flash-image', 'Nano Banana (shut down by Google on 2026-10-02)', '2025-10-02'),
  ...[
    'imagen-4.0-ultra-generate-001',
    'imagen-4.0-generate-001',
    'imagen-4.0-fast-generate-001',
  ].map((name) =>
    imageModel(
      name,
      'Imagen 4 (shut down by Google on 2026-08-17)',
      { most: 4, sizes: sizesOf(IMAGEN_SHAPES) },
      '2025-08-14',
    ),
  ),
];

function gemini(name: string, description: string, released?: string): ModelSpec {
  return imageModel(
    name,
    description,
    { edits: true, sizes: sizesOf(geminiShapes(name)) },
    released,
  );
}
