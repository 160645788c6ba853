import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** xAI's chat models. https://docs.x.ai/docs/models */
export const models: readonly ModelSpec[] = [
  chatModel('grok-4.3', [1_000_000, 30_000], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('grok-4.5', [500_000], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('grok-4.6', [500_000], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('grok-4.7', [500_000], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('grok-code-fast-1', [256_000, 10_000], [TOOLS, REASONING, SCHEMA, CACHING]),
  chatModel('grok-4-0709', [256_000], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel(
    'grok-4-fast-reasoning',
    [2_000_000, 30_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('grok-4-fast-non-reasoning', [2_000_000, 30_000], [TOOLS, VISION, SCHEMA, CACHING]),
  chatModel('grok-3-mini', [131_072, 8192], [TOOLS, REASONING, SCHEMA, CACHING]),
];
