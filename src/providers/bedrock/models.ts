import { type Capabilities, type ModelSpec } from '../../contract/model.js';
import {
  CACHING,
  CALLS,
  chatModel,
  COMPUTER,
  PREFILL,
  REASONING,
  SCHEMA,
  TOOLS,
  VISION,
} from '../chat-model.js';

const FILES: Capabilities = { input_modalities: ['text', 'image', 'file'] };

const CLAUDE = [FILES, CALLS, CACHING, REASONING];
/** Fable 5.1, Opus 5.5 and Sonnet 5.5 refuse a forced tool. */
const NEWEST = [...CLAUDE, COMPUTER, SCHEMA];
const SINCE_4_6 = [...NEWEST, TOOLS];
const SINCE_4_5 = [...SINCE_4_6, PREFILL];
const NOVA = [FILES, TOOLS, CACHING];

const LONG = [1_000_000, 128_000] as const;
const MEDIUM = [200_000, 64_000] as const;

/**
 * Bedrock's models for conversations. What AWS serves by profiles only stands under its profiles:
 * `global.` is reached from every commercial region, `us.` and `eu.` stay in their geography. A
 * provisioned model, or a profile of one's own, is added by its ARN in `MODELS_FILE`. Converse takes a tool
 * choice for Claude, Nova, Mistral, gpt-oss and DeepSeek V3 only.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards.html
 */
export const models: readonly ModelSpec[] = [
  chatModel('global.anthropic.claude-haiku-5-5', LONG, [...CLAUDE, SCHEMA, TOOLS], '2026-10-07'),
  chatModel('global.anthropic.claude-sonnet-5-5', LONG, NEWEST, '2026-09-28'),
  ...inPlaces('anthropic.claude-opus-5-5', LONG, NEWEST, '2026-09-22'),
  chatModel('global.anthropic.claude-fable-5-1', LONG, NEWEST, '2026-09-01'),
  ...inPlaces('anthropic.claude-opus-5', LONG, SINCE_4_6, '2026-07-24'),
  ...inPlaces('anthropic.claude-sonnet-5', LONG, SINCE_4_6, '2026-06-30'),
  chatModel('global.anthropic.claude-fable-5', LONG, SINCE_4_6, '2026-06-09'),
  ...inPlaces('anthropic.claude-opus-4-8', LONG, SINCE_4_6, '2026-05-28'),
  ...inPlaces('anthropic.claude-opus-4-7', LONG, SINCE_4_6, '2026-04-16'),
  ...inPlaces('anthropic.claude-sonnet-4-6', LONG, SINCE_4_6, '2026-02-17'),
  ...inPlaces('anthropic.claude-opus-4-6-v1', LONG, SINCE_4_6, '2026-02-05'),
  ...inPlaces('anthropic.claude-opus-4-5-20251101-v1:0', MEDIUM, SINCE_4_5, '2025-11-24'),
  ...inPlaces('anthropic.claude-haiku-4-5-20251001-v1:0', MEDIUM, SINCE_4_5, '2025-10-15'),
  ...inPlaces('anthropic.claude-sonnet-4-5-20250929-v1:0', MEDIUM, SINCE_4_5, '2025-09-29'),

  ...inPlaces('amazon.nova-2-lite-v1:0', [1_000_000, 64_000], [...NOVA, REASONING], '2025-12-02'),
  chatModel('amazon.nova-pro-v1:0', [300_000, 10_000], NOVA, '2024-12-03'),
  chatModel('amazon.nova-lite-v1:0', [300_000, 10_000], NOVA, '2024-12-03'),
  chatModel('amazon.nova-micro-v1:0', [128_000, 10_000], [TOOLS, CACHING], '2024-12-03'),
  chatModel('us.amazon.nova-pro-v1:0', [300_000, 10_000], NOVA, '2024-12-03'),
  chatModel('us.amazon.nova-lite-v1:0', [300_000, 10_000], NOVA, '2024-12-03'),
  chatModel('us.amazon.nova-micro-v1:0', [128_000, 10_000], [TOOLS, CACHING], '2024-12-03'),

  chatModel('openai.gpt-oss-120b-1:0', [128_000], [TOOLS, REASONING, SCHEMA], '2025-08-05'),
  chatModel('openai.gpt-oss-20b-1:0', [128_000], [TOOLS, REASONING, SCHEMA], '2025-08-05'),

  chatModel('deepseek.v3.2', [163_840, 81_920], [TOOLS], '2026-02-06'),
  chatModel('deepseek.v3-v1:0', [163_840, 81_920], [TOOLS, SCHEMA], '2025-09-15'),
  chatModel('us.deepseek.r1-v1:0', [128_000, 32_768], [REASONING], '2025-03-10'),

  chatModel('qwen.qwen3-coder-next', [262_144, 65_536], [CALLS, SCHEMA], '2026-02-06'),
  chatModel('qwen.qwen3-vl-235b-a22b', [262_144], [CALLS, SCHEMA, VISION], '2025-12-02'),
  chatModel('qwen.qwen3-next-80b-a3b', [262_144], [CALLS, SCHEMA], '2025-12-02'),
  chatModel('qwen.qwen3-235b-a22b-2507-v1:0', [262_144, 131_072], [CALLS, SCHEMA], '2025-09-15'),
  chatModel('qwen.qwen3-coder-480b-a35b-v1:0', [131_072, 65_536], [CALLS, SCHEMA], '2025-09-15'),
  chatModel('qwen.qwen3-coder-30b-a3b-v1:0', [262_144], [CALLS, SCHEMA], '2025-09-15'),
  chatModel('qwen.qwen3-32b-v1:0', [131_072, 16_384], [CALLS, REASONING, SCHEMA], '2025-09-15'),

  chatModel('moonshotai.kimi-k2.5', [262_143, 16_000], [CALLS, VISION], '2026-02-06'),
  chatModel('moonshot.kimi-k2-thinking', [262_143, 16_000], [CALLS, REASONING], '2025-12-02'),
  chatModel('minimax.minimax-m2.5', [196_608, 98_304], [CALLS, REASONING], '2026-03-18'),
  chatModel('minimax.minimax-m2.1', [204_800, 131_072], [CALLS, REASONING], '2026-02-06'),
  chatModel('minimax.minimax-m2', [196_608, 16_384], [CALLS, REASONING, SCHEMA], '2025-12-02'),
  chatModel('zai.glm-4.7', [204_800, 131_072], [CALLS, REASONING], '2026-02-06'),
  chatModel('zai.glm-4.7-flash', [200_000, 131_072], [CALLS, REASONING, SCHEMA], '2026-02-06'),

  chatModel('mistral.devstral-2-123b', [256_000], [TOOLS], '2026-02-17'),
  chatModel(
    'mistral.mistral-large-3-675b-instruct',
    [256_000],
    [TOOLS, SCHEMA, VISION],
    '2025-12-02',
  ),
  chatModel(
    'mistral.magistral-small-2509',
    [128_000, 40_000],
    [TOOLS, SCHEMA, VISION, REASONING],
    '2025-12-02',
  ),
  chatModel('mistral.ministral-3-14b-instruct', [128_000], [TOOLS, SCHEMA, VISION], '2025-12-02'),
  chatModel('mistral.ministral-3-8b-instruct', [128_000], [TOOLS, SCHEMA, VISION], '2025-12-02'),
  chatModel('mistral.ministral-3-3b-instruct', [128_000], [TOOLS, SCHEMA, VISION], '2025-12-02'),
  chatModel('us.mistral.pixtral-large-2502-v1:0', [128_000], [TOOLS, VISION], '2025-04-08'),

  chatModel(
    'us.meta.llama4-maverick-17b-instruct-v1:0',
    [1_000_000, 16_384],
    [CALLS, VISION],
    '2025-04-28',
  ),
  chatModel(
    'us.meta.llama4-scout-17b-instruct-v1:0',
    [3_500_000, 16_384],
    [CALLS, VISION],
    '2025-04-28',
  ),
  chatModel('us.meta.llama3-3-70b-instruct-v1:0', [128_000, 8_192], [CALLS], '2024-12-19'),

  chatModel('cohere.command-r-plus-v1:0', [128_000, 4_096], [CALLS], '2024-04-29'),
  chatModel('cohere.command-r-v1:0', [128_000, 4_096], [CALLS], '2024-04-29'),

  chatModel('nvidia.nemotron-super-3-120b', [256_000], [CALLS, REASONING], '2026-03-18'),
  chatModel('nvidia.nemotron-nano-3-30b', [256_000], [CALLS, REASONING], '2025-12-23'),
  chatModel('google.gemma-3-27b-it', [128_000, 8_192], [SCHEMA, VISION], '2025-12-02'),
  chatModel('google.gemma-3-12b-it', [128_000, 8_192], [SCHEMA, VISION], '2025-12-02'),
  chatModel('google.gemma-3-4b-it', [128_000, 8_192], [VISION], '2025-12-02'),
  chatModel('us.writer.palmyra-x5-v1:0', [1_000_000, 8_192], [CALLS], '2025-04-28'),
  chatModel('us.writer.palmyra-x4-v1:0', [128_000, 8_192], [CALLS], '2025-04-28'),
];

function inPlaces(name: string, ...row: readonly [...Rest]): ModelSpec[] {
  return ['global', 'us', 'eu'].map((place) => chatModel(`${place}.${name}`, ...row));
}

type Rest = [limits: readonly [number, number], can: readonly Capabilities[], released: string];
