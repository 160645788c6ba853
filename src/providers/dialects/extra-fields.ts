import { type NeutralRequest } from '../../contract/neutral.js';
import { present } from '../../json/values.js';

/**
 * What a request holds beyond the Messages API, such as a provider's own `seed`: it travels on as it
 * is. Fields of the Messages API are translated by each dialect, or known to Anthropic alone; nulls
 * say nothing.
 */
export function extraFields(request: NeutralRequest): Record<string, unknown> {
  return present(
    Object.fromEntries(Object.entries(request).filter(([name]) => !MESSAGES_FIELDS.has(name))),
  );
}

const MESSAGES_FIELDS = new Set([
  // Said in another way.
  'model',
  'messages',
  'system',
  'max_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'tools',
  'tool_choice',
  'metadata',
  'thinking',
  'output_config',
  'output_format',
  'stream',
  'thread',
  // Known to Anthropic alone. Its service tiers are nobody else's, and a tier would change the price.
  'service_tier',
  'cache_control',
  'container',
  'context_management',
  'compaction',
  'mcp_servers',
  'betas',
  'billing_policy',
  'diagnostics',
  'fallback_credit_token',
  'inference_geo',
  'speed',
  'user_profile_id',
  'workspace_id',
  'anthropic_version',
  // Meant for the gateway itself.
  'fallbacks',
  'router_candidates',
  'extra_headers',
]);
