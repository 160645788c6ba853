import { type NeutralRequest } from '../../contract/neutral.js';
import { listOf } from '../../json/values.js';
import { untranslatable } from './placed-blocks.js';

/** How hard a model is asked to think; undefined when the request leaves it to the model. */
export type Effort = 'low' | 'medium' | 'high';

/** https://docs.anthropic.com/en/docs/build-with-claude/effort, …/extended-thinking */
export function askedEffort({ thinking, output_config }: NeutralRequest): Effort | undefined {
  const asked = (output_config as { effort?: unknown } | null | undefined)?.effort;
  if (typeof asked === 'string') return EFFORTS.get(asked);
  if (thinking?.type !== 'enabled') return undefined;
  return effortOfBudget(Number(thinking.budget_tokens));
}

/** The effort that so many tokens of thinking come to. */
export function effortOfBudget(tokens: number): Effort {
  if (tokens <= MOST_LOW_BUDGET) return 'low';
  return tokens <= MOST_MEDIUM_BUDGET ? 'medium' : 'high';
}

/**
 * The JSON schema that the answer has to fit; undefined when there is none.
 *
 * @throws GatewayError 400 for a format of another kind.
 */
export function askedSchema({ output_config, output_format }: NeutralRequest): unknown {
  const config = output_config as { format?: unknown } | null | undefined;
  const format = (config?.format ?? output_format) as Partial<Record<string, unknown>> | undefined;
  if (!format) return undefined;
  if (format.type === 'json_schema') return format.schema;
  throw untranslatable('output_config.format.type', 'must be json_schema.');
}

/**
 * Refuses a thread: its earlier turns are kept by Anthropic and are not in the request.
 *
 * @throws GatewayError 400 in the words that Anthropic's SDK looks for before it sends the whole
 * conversation instead.
 */
export function refuseThread({ thread }: NeutralRequest): void {
  if (thread === undefined || thread === null) return;
  const details = { error_code: 'thread_unsupported_request', unsupported: ['thread'] };
  throw untranslatable('thread', 'is kept by Anthropic only.', details);
}

/**
 * Refuses what only Anthropic does: a thread, and the tools of MCP servers, which it calls itself.
 * Without them the answer would be another one, and nobody would say so.
 *
 * @throws GatewayError 400 naming the field.
 */
export function refuseAnthropicsOwn(request: NeutralRequest): void {
  refuseThread(request);
  if (listOf(request.mcp_servers).length > 0) {
    throw untranslatable('mcp_servers', 'are called by Anthropic only.');
  }
}

const EFFORTS: ReadonlyMap<string, Effort> = new Map([
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'high'],
  ['max', 'high'],
]);
/** Where a budget of thinking tokens becomes the next effort: a choice, as neither side says. */
const MOST_LOW_BUDGET = 4_096;
const MOST_MEDIUM_BUDGET = 16_384;
