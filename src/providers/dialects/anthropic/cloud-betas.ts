/**
 * The betas of an `anthropic-beta` header that Bedrock knows, by its own names. It refuses a call for
 * one that it does not know, and agents send whatever their latest version has; a field whose beta is
 * left out here is refused by name.
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html
 */
export function bedrockBetas(header: string | undefined): string[] {
  return known(header, ON_BEDROCK);
}

/**
 * The same for Vertex AI, which refuses as much: "Unexpected value(s) `effort-2025-11-24` for the
 * `anthropic-beta` header". Google has no list of them; this one is of what was seen to work there.
 */
export function vertexBetas(header: string | undefined): string[] {
  return known(header, ON_VERTEX);
}

function known(header: string | undefined, betas: ReadonlySet<string>): string[] {
  const asked = (header ?? '').split(',').map((beta) => beta.trim());
  return [...new Set(asked.flatMap((beta) => RENAMED.get(beta) ?? (betas.has(beta) ? beta : [])))];
}

const RENAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ['advanced-tool-use-2025-11-20', ['tool-search-tool-2025-10-19']],
]);

const ON_BOTH = [
  'compact-2026-01-12',
  'computer-use-2024-10-22',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'interleaved-thinking-2025-05-14',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
];

const ON_BEDROCK = new Set([
  ...ON_BOTH,
  'dev-full-thinking-2025-05-14',
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
  'mid-conversation-tool-changes-2026-07-01',
  'output-128k-2025-02-19',
  'token-efficient-tools-2025-02-19',
  'tool-examples-2025-10-29',
]);

const ON_VERTEX = new Set([
  ...ON_BOTH,
  'compact-2026-09-04',
  'per-turn-control-2026-07-01',
  'web-search-2025-03-05',
]);
