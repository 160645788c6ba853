import { type Capabilities, type ModelSpec } from '../../contract/model.js';
import { COMPUTER, PREFILL, REASONING, SCHEMA } from '../chat-model.js';

const CLAUDE: Capabilities = {
  input_modalities: ['text', 'image', 'file'],
  output_modalities: ['text'],
  supports_system_messages: true,
  supports_native_streaming: true,
  supports_prompt_caching: true,
  supports_function_calling: true,
  supports_parallel_function_calling: true,
  supports_web_search: true,
};

const FORCED_TOOLS: Capabilities = { supports_tool_choice: true };

/** Fable 5.1, Opus 5.5 and Sonnet 5.5 refuse a forced tool, so these do not claim a tool choice. */
const NEWEST: Capabilities = { ...CLAUDE, ...REASONING, ...COMPUTER, ...SCHEMA };
/** Since 4.6 a conversation may not end in an assistant turn. */
const SINCE_4_6: Capabilities = { ...NEWEST, ...FORCED_TOOLS };
const SINCE_4_5: Capabilities = { ...SINCE_4_6, ...PREFILL };
const SINCE_3_7: Capabilities = {
  ...CLAUDE,
  ...REASONING,
  ...COMPUTER,
  ...FORCED_TOOLS,
  ...PREFILL,
};

const LONG = { contextLength: 1_000_000, maxOutputTokens: 128_000 };
const MEDIUM = { contextLength: 200_000, maxOutputTokens: 64_000 };

/**
 * Claude on Anthropic's own API, newest first.
 * https://platform.claude.com/docs/en/about-claude/models/overview
 */
export const models: readonly ModelSpec[] = [
  claude('claude-fable-5-2', 'Claude Fable 5.2', '2026-11-09', LONG, NEWEST),
  claude('claude-haiku-5-5', 'Claude Haiku 5.5', '2026-10-07', LONG, {
    ...CLAUDE,
    ...REASONING,
    ...FORCED_TOOLS,
    ...SCHEMA,
  }),
  claude('claude-sonnet-5-5', 'Claude Sonnet 5.5', '2026-09-28', LONG, NEWEST),
  claude('claude-opus-5-5', 'Claude Opus 5.5', '2026-09-22', LONG, NEWEST),
  claude('claude-fable-5-1', 'Claude Fable 5.1', '2026-09-01', LONG, NEWEST),
  claude('claude-opus-5', 'Claude Opus 5', '2026-07-24', LONG, SINCE_4_6),
  claude('claude-sonnet-5', 'Claude Sonnet 5', '2026-06-30', LONG, SINCE_4_6),
  claude('claude-fable-5', 'Claude Fable 5', '2026-06-09', LONG, SINCE_4_6),
  claude('claude-opus-4-8', 'Claude Opus 4.8', '2026-05-28', LONG, SINCE_4_6),
  claude('claude-opus-4-7', 'Claude Opus 4.7', '2026-04-16', LONG, SINCE_4_6),
  claude('claude-sonnet-4-6', 'Claude Sonnet 4.6', '2026-02-17', LONG, SINCE_4_6),
  claude('claude-opus-4-6', 'Claude Opus 4.6', '2026-02-05', LONG, SINCE_4_6),
  ...withAlias(
    'claude-opus-4-5',
    claude('claude-opus-4-5-20251101', 'Claude Opus 4.5', '2025-11-24', MEDIUM, SINCE_4_5),
  ),
  ...withAlias(
    'claude-haiku-4-5',
    claude('claude-haiku-4-5-20251001', 'Claude Haiku 4.5', '2025-10-15', MEDIUM, SINCE_4_5),
  ),
  ...withAlias(
    'claude-sonnet-4-5',
    claude('claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5', '2025-09-29', MEDIUM, SINCE_4_5),
  ),
  ...withAlias(
    'claude-opus-4-1',
    claude(
      'claude-opus-4-1-20250805',
      'Claude Opus 4.1 (retired by Anthropic)',
      '2025-08-05',
      { contextLength: 200_000, maxOutputTokens: 32_000 },
      { ...SINCE_3_7, ...SCHEMA },
    ),
  ),
  ...withAlias(
    'claude-opus-4-0',
    claude(
      'claude-opus-4-20250514',
      'Claude Opus 4 (retired by Anthropic)',
      '2025-05-22',
      { contextLength: 200_000, maxOutputTokens: 32_000 },
      SINCE_3_7,
    ),
  ),
  ...withAlias(
    'claude-sonnet-4-0',
    claude(
      'claude-sonnet-4-20250514',
      'Claude Sonnet 4 (retired by Anthropic)',
      '2025-05-22',
      MEDIUM,
      SINCE_3_7,
    ),
  ),
  ...withAlias(
    'claude-3-7-sonnet-latest',
    claude(
      'claude-3-7-sonnet-20250219',
      'Claude Sonnet 3.7 (retired by Anthropic)',
      '2025-02-24',
      MEDIUM,
      SINCE_3_7,
    ),
  ),
  ...withAlias(
    'claude-3-5-haiku-latest',
    claude(
      'claude-3-5-haiku-20241022',
      'Claude Haiku 3.5 (retired by Anthropic)',
      '2024-10-22',
      { contextLength: 200_000, maxOutputTokens: 8_192 },
      { ...CLAUDE, ...FORCED_TOOLS, ...PREFILL },
    ),
  ),
];

function claude(
  name: string,
  description: string,
  released: string,
  limits: { contextLength: number; maxOutputTokens: number },
  capabilities: Capabilities,
): ModelSpec {
  const created = Date.parse(`${released}T00:00:00Z`) / 1_000;
  return { name, endpoints: ['messages'], description, created, ...limits, capabilities };
}

/** The undated name that Anthropic keeps for a dated one, and the dated one. */
function withAlias(name: string, spec: ModelSpec): ModelSpec[] {
  return [{ ...spec, name, aliasOf: `anthropic/${spec.name}` }, spec];
}
