import { type ModelSpec } from '../../contract/model.js';
import { chatModel, REASONING, SCHEMA, SEARCH, VISION } from '../chat-model.js';

/** Perplexity's chat models. https://docs.perplexity.ai/getting-started/models */
export const models: readonly ModelSpec[] = [
  chatModel('sonar', [128_000, 4096], [VISION, SCHEMA, SEARCH]),
  chatModel('sonar-pro', [200_000, 8192], [VISION, SCHEMA, SEARCH]),
  chatModel('sonar-reasoning-pro', [128_000, 4096], [VISION, REASONING, SCHEMA, SEARCH]),
];
