import { type ModelSpec } from '../../contract/model.js';
import { chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** Cerebras's chat models. https://inference-docs.cerebras.ai/models/overview */
export const models: readonly ModelSpec[] = [
  chatModel('gpt-oss-120b', [131_072, 40_960], [TOOLS, REASONING, SCHEMA], '2025-08-05'),
  chatModel('qwen-3.8-27b', [131_072, 40_960], [TOOLS, VISION, REASONING, SCHEMA]),
  chatModel('gemma-4-31b', [131_072, 40_960], [TOOLS, VISION, SCHEMA]),
  chatModel('zai-glm-4.7', [131_072, 40_960], [TOOLS, REASONING, SCHEMA], '2025-12-22'),
];
