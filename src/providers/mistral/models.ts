import { type ModelSpec } from '../../contract/model.js';
import { CACHING, chatModel, REASONING, SCHEMA, TOOLS, VISION } from '../chat-model.js';

/** Mistral's chat models. https://docs.mistral.ai/getting-started/models */
export const models: readonly ModelSpec[] = [
  chatModel('codestral-2508', [256_000, 8192], [TOOLS, SCHEMA, CACHING], '2025-08-01'),
  chatModel('codestral-latest', [256_000, 4096], [TOOLS, SCHEMA, CACHING]),
  chatModel('devstral-2512', [262_144], [TOOLS, SCHEMA, CACHING], '2025-12-01'),
  chatModel('devstral-latest', [262_144], [TOOLS, SCHEMA, CACHING]),
  chatModel('devstral-medium-latest', [262_144], [TOOLS, SCHEMA, CACHING]),
  chatModel(
    'magistral-medium-latest',
    [262_144, 16_384],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('ministral-14b-2512', [262_144], [TOOLS, VISION, SCHEMA, CACHING], '2025-12-01'),
  chatModel('ministral-3b-2512', [131_072], [TOOLS, VISION, SCHEMA, CACHING], '2025-12-01'),
  chatModel('ministral-3b-latest', [131_072, 128_000], [TOOLS, VISION, SCHEMA, CACHING]),
  chatModel('ministral-8b-2512', [262_144], [TOOLS, VISION, SCHEMA, CACHING], '2025-12-01'),
  chatModel('ministral-8b-latest', [262_144, 128_000], [TOOLS, VISION, SCHEMA, CACHING]),
  chatModel('mistral-large-2512', [262_144], [TOOLS, VISION, SCHEMA, CACHING], '2025-12-01'),
  chatModel('mistral-large-4', [1_048_576, 262_144], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel(
    'mistral-large-4-0-8',
    [1_048_576, 262_144],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('mistral-large-latest', [262_144], [TOOLS, VISION, SCHEMA, CACHING]),
  chatModel('mistral-medium-2505', [131_072], [TOOLS, VISION, SCHEMA, CACHING], '2025-05-01'),
  chatModel('mistral-medium-2508', [262_144], [TOOLS, VISION, SCHEMA, CACHING], '2025-08-01'),
  chatModel(
    'mistral-medium-2604',
    [262_144],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
    '2026-04-01',
  ),
  chatModel('mistral-medium-3.5', [262_144], [TOOLS, VISION, REASONING, SCHEMA]),
  chatModel('mistral-medium-latest', [262_144], [TOOLS, VISION, REASONING, SCHEMA, CACHING]),
  chatModel(
    'mistral-small-2506',
    [128_000, 16_384],
    [TOOLS, VISION, SCHEMA, CACHING],
    '2025-06-01',
  ),
  chatModel(
    'mistral-small-2603',
    [262_144, 256_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
    '2026-03-01',
  ),
  chatModel(
    'mistral-small-latest',
    [262_144, 256_000],
    [TOOLS, VISION, REASONING, SCHEMA, CACHING],
  ),
  chatModel('open-mistral-nemo', [128_000], [TOOLS, SCHEMA, CACHING]),
  chatModel('pixtral-12b', [128_000], [TOOLS, VISION, SCHEMA, CACHING]),
];
