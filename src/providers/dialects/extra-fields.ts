import { type NeutralRequest } from '../../contract/neutral.js';
import { isObject, present } from '../../json/values.js';

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

/**
 * Those of them that ask for something where another than OpenAI answers. Clients of OpenAI's format send the
 * others to every model, and Bedrock and Cohere refuse a field that they do not know: "extraneous key
 * [presence_penalty] is not permitted".
 */
export function askedFields(request: NeutralRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(extraFields(request)).filter(
      ([name, value]) => !OPENAIS_ORDERS.has(name) && !isIdle(name, value),
    ),
  );
}

/** Orders to OpenAI's own service, and what was said in another way already. */
export const OPENAIS_ORDERS: ReadonlySet<string> = new Set([
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'store',
  'stream_options',
  'parallel_tool_calls',
  'verbosity',
]);

/** Whether a field of OpenAI's format says what is so without it. */
export function isIdle(name: string, value: unknown): boolean {
  const isEmpty = value === 0 || (isObject(value) && Object.keys(value).length === 0);
  return isEmpty && IDLE_WHEN_EMPTY.has(name);
}

const IDLE_WHEN_EMPTY = new Set(['frequency_penalty', 'presence_penalty', 'logit_bias']);

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
