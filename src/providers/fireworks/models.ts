import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** Fireworks's chat models. https://fireworks.ai/models */
export const models: readonly ModelSpec[] = [
  chatModel(
    'accounts/fireworks/models/deepseek-v4p1-flash',
    [1_000_000, 384_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/ember-1',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('accounts/fireworks/models/minimax-m3', [512_000], [TOOLS, REASONING, SCHEMA, CACHING]),
  chatModel(
    'accounts/fireworks/models/minimax-m3p1-flash',
    [1_000_000, 512_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/muse-spark-open',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/qwen3p8-2p4t-a95b',
    [262_144, 131_072],
    [TOOLS, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/qwen3p8-max',
    [262_144, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/deepseek-flash-latest',
    [1_000_000, 384_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/kimi-fast-latest',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/kimi-latest',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/minimax-latest',
    [512_000],
    [TOOLS, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/qwen-max-latest',
    [262_144, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/glm-5p3',
    [1_048_573, 262_144],
    [TOOLS, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/glm-5p3-flash',
    [1_048_573, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/kimi-k3',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/kimi-k3p1-pro',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/glm-5p3-fast',
    [1_048_572, 262_144],
    [TOOLS, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/glm-fast-latest',
    [1_048_572, 262_144],
    [TOOLS, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/glm-flash-latest',
    [1_048_573, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/glm-latest',
    [1_048_573, 262_144],
    [TOOLS, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/routers/kimi-k3-fast',
    [1_048_576, 131_072],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel(
    'accounts/fireworks/models/gpt-oss-120b',
    [131_072],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2025-08-05',
  ),
  chatModel(
    'accounts/fireworks/models/gpt-oss-20b',
    [131_072],
    [TOOLS, REASONING, SCHEMA, CACHING],
    '2025-08-05',
  ),
];
