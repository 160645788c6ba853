import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, TOOLS, VISION } from '../chat-model.js';

/** Z.ai's chat models. https://docs.z.ai/guides/overview/pricing */
export const models: readonly ModelSpec[] = [
  chatModel('glm-4.7', [204_800, 131_072], [TOOLS, REASONING, CACHING], '2025-12-22'),
  chatModel('glm-5-turbo', [200_000, 131_072], [TOOLS, REASONING, CACHING]),
  chatModel('glm-5.2', [1_000_000, 131_072], [TOOLS, REASONING, CACHING], '2026-06-16'),
  chatModel('glm-5.3', [1_000_000, 131_072], [TOOLS, REASONING, CACHING]),
  chatModel('glm-5.3-flash', [1_000_000, 131_072], [TOOLS, VISION, REASONING, CACHING]),
  chatModel('glm-5.1', [200_000, 131_072], [TOOLS, REASONING, CACHING]),
  chatModel('glm-4.7-flash', [200_000, 131_072], [TOOLS, REASONING], '2025-12-22'),
  chatModel('glm-4.5-flash', [131_072, 98_304], [TOOLS, REASONING], '2025-07-28'),
  chatModel('glm-4.6v', [131_072, 32_768], [TOOLS, VISION, REASONING, CACHING], '2025-09-30'),
];
