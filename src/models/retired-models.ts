/**
 * Models that their providers have shut down. They are still served when named, since an address of
 * one's own may have them, but not listed: neither a list nor `@router` should offer them. A row of
 * `MODELS_FILE` lists one again.
 * https://developers.openai.com/api/docs/deprecations,
 * https://platform.claude.com/docs/en/about-claude/model-deprecations
 */
export const RETIRED: ReadonlySet<string> = new Set([
  'openai/gpt-4.1-nano',
  'openai/gpt-3.5-turbo',
  'openai/o4-mini',
  'anthropic/claude-opus-4-1',
  'anthropic/claude-opus-4-1-20250805',
  'anthropic/claude-opus-4-0',
  'anthropic/claude-opus-4-20250514',
  'anthropic/claude-sonnet-4-0',
  'anthropic/claude-sonnet-4-20250514',
  'anthropic/claude-3-7-sonnet-latest',
  'anthropic/claude-3-7-sonnet-20250219',
  'anthropic/claude-3-5-haiku-latest',
  'anthropic/claude-3-5-haiku-20241022',
]);
