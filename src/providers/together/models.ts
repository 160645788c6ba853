import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** Together AI's chat models. https://docs.together.ai/docs/serverless-models */
export const models: readonly ModelSpec[] = [
  chatModel(
    'deepseek-ai/DeepSeek-V4-Pro-0813',
    [1_048_576, 384_000],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2026-04-24',
  ),
  chatModel(
    'deepseek-ai/DeepSeek-V4.1-Flash',
    [1_048_576, 384_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'meta-models/Muse-Spark-Open-816B-A42B',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('MiniMaxAI/MiniMax-M3', [524_288], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel(
    'moonshotai/Kimi-K3',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'moonshotai/Kimi-K3.1-Pro',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'nvidia/NVIDIA-Nemotron-3.5-Super-VL',
    [262_144],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('openai/gpt-oss-120b', [131_072], [TOOLS, REASONING, SCHEMA], '2025-08-05'),
  chatModel('Qwen/Qwen3.5-9B', [262_144, 65_536], [TOOLS, VISION, REASONING, SCHEMA]),
  chatModel('Qwen/Qwen3.6-Plus', [1_000_000, 65_536], [TOOLS, REASONING, SCHEMA]),
  chatModel('Qwen/Qwen3.7-Max', [1_000_000, 131_072], [TOOLS, REASONING, SCHEMA, CACHING]),
  chatModel(
    'reflection/Beam-1.0-501B-A23B',
    [1_048_576, 131_072],
    [TOOLS, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'thinkingmachines/Inkling',
    [524_288, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'zai-org/GLM-5.2',
    [1_048_575, 164_000],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2026-06-16',
  ),
  chatModel('zai-org/GLM-5.3', [1_048_575, 262_144], [TOOLS, REASONING, SCHEMA, CACHING]),
  chatModel(
    'zai-org/GLM-5.3-Flash',
    [1_048_575, 400_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('meta-llama/Llama-3.3-70B-Instruct-Turbo', [131_072], [TOOLS, SCHEMA], '2024-12-06'),
  chatModel('openai/gpt-oss-20b', [131_072], [TOOLS, REASONING, SCHEMA], '2025-08-05'),
];
