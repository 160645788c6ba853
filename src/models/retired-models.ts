/**
 * Models that their providers have shut down. They are still served when named, since an address of
 * one's own may have them, but not listed: neither a list nor `@router` should offer them. A row of
 * `MODELS_FILE` lists one again.
 * https://developers.openai.com/api/docs/deprecations,
 * https://platform.claude.com/docs/en/about-claude/model-deprecations,
 * https://ai.google.dev/gemini-api/docs/deprecations,
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-lifecycle.html
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
  'google/gemini-3.1-flash-image',
  'google/gemini-2.5-flash-image',
  'google/imagen-4.0-ultra-generate-001',
  'google/imagen-4.0-generate-001',
  'google/imagen-4.0-fast-generate-001',
  'vertex/gemini-3.1-flash-image',
  'vertex/gemini-2.5-flash-image',
  'vertex/imagen-4.0-ultra-generate-001',
  'vertex/imagen-4.0-generate-001',
  'vertex/imagen-4.0-fast-generate-001',
  'vertex/imagen-3.0-capability-001',
  'bedrock/amazon.nova-canvas-v1:0',
  'bedrock/amazon.titan-image-generator-v2:0',
]);
