import { type ModelSpec } from '../../contract/model.js';
import { CALLS, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/**
 * Cohere's chat models, newest first. `tool_choice` is "only compatible with models Command-r7b and newer".
 * https://docs.cohere.com/docs/models, …/reference/chat
 */
export const models: readonly ModelSpec[] = [
  chatModel('command-a-plus-05-2026', [128_000], [VISION, TOOLS, SCHEMA, REASONING], '2026-05-20'),
  chatModel(
    'command-a-reasoning-08-2025',
    [256_000, 32_000],
    [TOOLS, SCHEMA, REASONING],
    '2025-08-21',
  ),
  chatModel('command-a-03-2025', [256_000, 8_192], [TOOLS, SCHEMA], '2025-03-13'),
  chatModel('command-r7b-12-2024', [128_000, 4_096], [TOOLS, SCHEMA], '2024-12-13'),
  chatModel('command-r-plus-08-2024', [128_000, 4_096], [CALLS, SCHEMA], '2024-08-30'),
  chatModel('command-r-08-2024', [128_000, 4_096], [CALLS, SCHEMA], '2024-08-30'),
];
