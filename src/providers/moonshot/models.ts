import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** Moonshot AI's chat models. https://platform.moonshot.ai/docs/pricing/chat */
export const models: readonly ModelSpec[] = [
  chatModel('kimi-k2.6', [262_144], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('kimi-k2.7-code', [262_144], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('kimi-k2.7-code-highspeed', [262_144], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('kimi-k3', [1_048_576], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('kimi-k3.1-pro', [1_048_576], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel('kimi-k3.1-pro-highspeed', [1_048_576], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
];
