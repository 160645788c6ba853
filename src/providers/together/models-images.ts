import { type ModelSpec } from '../../contract/model.js';
import { imageModel } from '../image-model.js';

const MAKES = { most: 4 } as const;
const EDITS = { ...MAKES, edits: true, remoteUrls: true } as const;

/** Together's models that draw. https://docs.together.ai/docs/serverless-models */
export const imageModels: readonly ModelSpec[] = [
  imageModel('black-forest-labs/FLUX.2-pro', 'FLUX.2 [pro]', EDITS),
  imageModel('black-forest-labs/FLUX.2-flex', 'FLUX.2 [flex]', EDITS),
  imageModel('black-forest-labs/FLUX.2-dev', 'FLUX.2 [dev]', EDITS),
  imageModel('black-forest-labs/FLUX.1-kontext-max', 'FLUX.1 Kontext [max]', EDITS),
  imageModel('black-forest-labs/FLUX.1-kontext-pro', 'FLUX.1 Kontext [pro]', EDITS),
  imageModel('black-forest-labs/FLUX.1.1-pro', 'FLUX1.1 [pro]', MAKES),
  imageModel('black-forest-labs/FLUX.1-schnell', 'FLUX.1 [schnell]', MAKES),
  imageModel('Qwen/Qwen-Image', 'Qwen-Image', MAKES),
];
