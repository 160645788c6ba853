import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** Groq's chat models. https://console.groq.com/docs/models */
export const models: readonly ModelSpec[] = [
  chatModel('llama-3.1-8b-instant', [131_072], [TOOLS], '2024-07-23'),
  chatModel('llama-3.3-70b-versatile', [131_072, 32_768], [TOOLS], '2024-12-06'),
  chatModel(
    'openai/gpt-oss-120b',
    [131_072, 65_536],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2025-08-05',
  ),
  chatModel(
    'openai/gpt-oss-20b',
    [131_072, 65_536],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2025-08-05',
  ),
  chatModel(
    'openai/gpt-oss-safeguard-20b',
    [131_072, 65_536],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2025-08-05',
  ),
  chatModel('qwen/qwen3.6-27b', [131_072, 16_384], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('qwen/qwen3.8-27b', [131_072, 16_384], [TOOLS, VISION, REASONING, SCHEMA]),
];
