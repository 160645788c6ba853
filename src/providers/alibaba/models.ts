import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** Alibaba Cloud Model Studio's chat models. https://www.alibabacloud.com/help/en/model-studio/models */
export const models: readonly ModelSpec[] = [
  chatModel('qwen3.7-plus', [1_000_000, 65_536], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('qwen-plus', [1_000_000, 32_768], [TOOLS, SCHEMA, CACHING]),
  chatModel('qwen-flash', [1_000_000, 32_768], [TOOLS, REASONING, SCHEMA, CACHING]),
  chatModel('qwen3-max', [262_144, 65_536], [TOOLS, SCHEMA, CACHING]),
  chatModel('qwen3-vl-flash', [262_144, 32_768], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('qwen3-coder-plus', [1_000_000, 65_536], [TOOLS, SCHEMA, CACHING]),
];
