import { type NeutralRequest } from '../../contract/neutral.js';
import { type CallContext } from '../provider.js';
import { untranslatable } from './openai-chat-blocks.js';
import { chatMessages } from './openai-chat-messages.js';
import { shortened } from './openai-chat-names.js';
import { tooling } from './openai-chat-tools.js';

/**
 * The body of a chat completions call. What only Anthropic knows is left out (`top_k`, cache marks,
 * `context_management`, …); every other field that is not known here travels on as it is.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function chatRequestBody(call: CallContext<'messages'>): Record<string, unknown> {
  const { request, model, stream } = call;
  refuseThread(request);
  const reasoning = model.capabilities.supports_reasoning === true;
  const user = request.metadata?.user_id;
  const forwarded = Object.entries(request).filter(([name]) => !NOT_FORWARDED.has(name));
  return {
    ...present(Object.fromEntries(forwarded)),
    ...present({
      model: model.name,
      messages: chatMessages(request),
      // Reasoning models refuse `max_tokens`; compatible servers may know nothing else.
      [reasoning ? 'max_completion_tokens' : 'max_tokens']: request.max_tokens,
      reasoning_effort: reasoning ? reasoningEffort(request) : undefined,
      stop: request.stop_sequences?.length ? request.stop_sequences : undefined,
      ...tooling(request),
      response_format: responseFormat(request),
      user: typeof user === 'string' ? shortened(user, LONGEST_USER) : undefined,
      ...(stream && streaming(request)),
    }),
  };
}

const NOT_FORWARDED = new Set([
  // Said in another way.
  'model',
  'messages',
  'system',
  'max_tokens',
  'stop_sequences',
  'tools',
  'tool_choice',
  'metadata',
  'thinking',
  'output_config',
  'output_format',
  'stream',
  'stream_options',
  // Known to Anthropic alone. Its service tiers are not OpenAI's, and a tier would change the price.
  'top_k',
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
  'thread',
  'user_profile_id',
  'workspace_id',
  'anthropic_version',
  // Meant for the gateway itself.
  'fallbacks',
  'router_candidates',
  'extra_headers',
]);

/** OpenAI refuses a longer `user`; coding agents put account and session into theirs. */
const LONGEST_USER = 64;

const EFFORTS: ReadonlyMap<unknown, string> = new Map([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);
/** Where a budget of thinking tokens becomes the next effort: a choice, as neither side says. */
const MOST_LOW_BUDGET = 4_096;
const MOST_MEDIUM_BUDGET = 16_384;

/** A thread's earlier turns are not in the request, so leaving `thread` out would lose them. */
function refuseThread(request: NeutralRequest): void {
  if (request.thread === undefined || request.thread === null) return;
  // What Anthropic's SDK looks for before it sends the whole conversation instead.
  const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };
  throw untranslatable('thread', 'is kept by Anthropic only.', details);
}

function reasoningEffort({ thinking, output_config }: NeutralRequest): string | undefined {
  const asked = (output_config as { effort?: unknown } | null | undefined)?.effort;
  if (typeof asked === 'string') return EFFORTS.get(asked);
  if (thinking?.type !== 'enabled') return undefined;
  const budget = Number(thinking.budget_tokens);
  if (budget <= MOST_LOW_BUDGET) return 'low';
  return budget <= MOST_MEDIUM_BUDGET ? 'medium' : 'high';
}

function responseFormat({ output_config, output_format }: NeutralRequest): object | undefined {
  const config = output_config as { format?: unknown } | null | undefined;
  const format = (config?.format ?? output_format) as Partial<Record<string, unknown>> | undefined;
  if (!format) return undefined;
  if (format.type !== 'json_schema') {
    throw untranslatable('output_config.format.type', 'must be json_schema.');
  }
  // Anthropic promises output that fits the schema; only the strict mode promises the same.
  const json_schema = { name: 'response', schema: format.schema, strict: true };
  return { type: 'json_schema', json_schema };
}

function streaming({ stream_options }: NeutralRequest): object {
  return {
    stream: true,
    stream_options: { ...(stream_options as object | undefined), include_usage: true },
  };
}

function present(fields: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept);
}
