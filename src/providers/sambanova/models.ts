import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, TOOLS } from '../chat-model.js';

/** SambaNova's chat models. https://docs.sambanova.ai/docs/en/models/sambacloud-models */
export const models: readonly ModelSpec[] = [
  chatModel('MiniMax-M3', [1_000_000], [TOOLS, REASONING, CACHING]),
  chatModel('DeepSeek-V3.2', [32_000], [TOOLS, REASONING], '2025-12-01'),
  chatModel('DeepSeek-V3.1', [128_000], [TOOLS, REASONING]),
  chatModel('Meta-Llama-3.3-70B-Instruct', [128_000], [TOOLS], '2024-12-06'),
  chatModel('gpt-oss-120b', [128_000], [TOOLS, REASONING], '2025-08-05'),
];
