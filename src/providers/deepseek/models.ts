import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, TOOLS, VISION } from '../chat-model.js';

/** DeepSeek's chat models. https://api-docs.deepseek.com/quick_start/pricing */
export const models: readonly ModelSpec[] = [
  chatModel('deepseek-flash', [1_000_000, 384_000], [TOOLS, VISION, REASONING, CACHING]),
  chatModel('deepseek-v4-pro', [1_000_000, 384_000], [TOOLS, REASONING, CACHING], '2026-04-24'),
  chatModel('deepseek-v4-flash', [1_000_000, 384_000], [TOOLS, REASONING, CACHING], '2026-04-24'),
  chatModel('deepseek-chat', [1_000_000, 8192], [TOOLS, CACHING]),
  chatModel('deepseek-reasoner', [1_000_000, 65_536], [TOOLS, REASONING, CACHING]),
];
