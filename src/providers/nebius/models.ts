import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS } from '../chat-model.js';

/** Nebius Token Factory's chat models. https://tokenfactory.nebius.com/model-catalog.md */
export const models: readonly ModelSpec[] = [
  chatModel('moonshotai/Kimi-K3', [1_048_576, 8000], [TOOLS, REASONING, SCHEMA]),
  chatModel(
    'deepseek-ai/DeepSeek-V4-Pro',
    [1_048_576],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2026-04-24',
  ),
  chatModel('zai-org/GLM-5.2', [1_048_576], [TOOLS, REASONING, SCHEMA], '2026-06-16'),
  chatModel('Qwen/Qwen3.5-397B-A17B', [250_000, 8192], [TOOLS, REASONING, SCHEMA, CACHING]),
  chatModel(
    'openai/gpt-oss-120b',
    [128_000, 8192],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2025-08-05',
  ),
  chatModel(
    'meta-llama/Llama-3.3-70B-Instruct',
    [131_072, 8192],
    [TOOLS, SCHEMA, CACHING],
    '2024-12-06',
  ),
];
