import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, TOOLS, VISION } from '../chat-model.js';

/** MiniMax's chat models. https://platform.minimax.io/docs/guides/models-intro */
export const models: readonly ModelSpec[] = [
  chatModel('MiniMax-M2.7', [204_800, 131_072], [TOOLS, REASONING, CACHING]),
  chatModel('MiniMax-M2.7-highspeed', [204_800, 131_072], [TOOLS, REASONING, CACHING]),
  chatModel('MiniMax-M3', [1_000_000, 524_288], [TOOLS, VISION, REASONING, CACHING]),
  chatModel('MiniMax-M3.1-Flash', [1_000_000, 524_288], [TOOLS, VISION, REASONING, CACHING]),
];
