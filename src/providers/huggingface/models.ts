import { type ModelSpec } from '../../contract/model.js';
import { chatModel, REASONING, TOOLS, VISION } from '../chat-model.js';

/** Hugging Face's chat models. https://huggingface.co/inference/models */
export const models: readonly ModelSpec[] = [
  chatModel('deepseek-ai/DeepSeek-R1', [64_000, 32_768], [TOOLS, REASONING]),
  chatModel('deepseek-ai/DeepSeek-V3.2', [163_840, 65_536], [TOOLS, REASONING], '2025-12-01'),
  chatModel(
    'deepseek-ai/DeepSeek-V4-Pro-0813',
    [1_000_000, 384_000],
    [TOOLS, REASONING],
    '2026-04-24',
  ),
  chatModel('deepseek-ai/DeepSeek-V4.1-Flash', [1_048_576, 384_000], [TOOLS, VISION, REASONING]),
  chatModel('google/gemma-4-31B-it', [262_144, 32_768], [TOOLS, VISION, REASONING]),
  chatModel('meta-llama/Llama-3.1-8B-Instruct', [131_072, 4096], [TOOLS], '2024-07-23'),
  chatModel('meta-llama/Llama-3.3-70B-Instruct', [131_072, 4096], [TOOLS], '2024-12-06'),
  chatModel('MiniMaxAI/MiniMax-M3', [524_288, 512_000], [TOOLS, VISION, REASONING]),
  chatModel('MiniMaxAI/MiniMax-M3.1-Flash', [1_000_000, 512_000], [TOOLS, VISION, REASONING]),
  chatModel('moonshotai/Kimi-K2-Instruct-0905', [262_144, 16_384], [TOOLS], '2025-07-11'),
  chatModel('moonshotai/Kimi-K3', [1_000_000, 131_072], [TOOLS, VISION, REASONING]),
  chatModel('openai/gpt-oss-120b', [131_072, 32_768], [TOOLS, REASONING], '2025-08-05'),
  chatModel('openai/gpt-oss-20b', [131_072, 32_768], [TOOLS, REASONING], '2025-08-05'),
  chatModel('Qwen/Qwen3-32B', [131_072, 16_384], [TOOLS, REASONING]),
  chatModel('Qwen/Qwen3-Coder-480B-A35B-Instruct', [262_144, 65_536], [TOOLS]),
  chatModel('Qwen/Qwen3.5-397B-A17B', [262_144, 32_768], [TOOLS, VISION, REASONING]),
  chatModel('Qwen/Qwen3.8-27B', [262_144, 32_768], [TOOLS, VISION, REASONING]),
  chatModel('zai-org/GLM-5.2', [262_144, 131_072], [TOOLS, REASONING], '2026-06-16'),
  chatModel('zai-org/GLM-5.3', [1_048_576, 131_072], [TOOLS, REASONING]),
  chatModel('zai-org/GLM-5.3-Flash', [1_048_576, 131_072], [TOOLS, VISION, REASONING]),
];
