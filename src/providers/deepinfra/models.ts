import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** DeepInfra's chat models. https://deepinfra.com/models */
export const models: readonly ModelSpec[] = [
  chatModel('deepseek-ai/DeepSeek-V4.1-Flash', [1_048_576], [TOOLS, REASONING, SCHEMA, CACHING]),
  chatModel(
    'deepseek-ai/DeepSeek-V4-Pro-0813',
    [1_048_576],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2026-04-24',
  ),
  chatModel('Qwen/Qwen3.8-Max', [256_000], [TOOLS, SCHEMA, CACHING]),
  chatModel(
    'Qwen/Qwen3.5-397B-A17B',
    [262_144, 81_920],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('zai-org/GLM-5.2', [1_048_576], [TOOLS, REASONING, SCHEMA], '2026-06-16'),
  chatModel('google/gemma-4-31B-it', [262_144], [TOOLS, VISION, REASONING, SCHEMA]),
  chatModel(
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    [131_072, 16_384],
    [TOOLS, SCHEMA],
    '2024-12-06',
  ),
];
