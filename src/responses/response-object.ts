import { type Ended, wasRefused } from '../contract/neutral.js';
import { type SurfaceCall } from '../dispatch/surface.js';
import { type Fields, isObject } from '../json/values.js';
import { shortened } from '../providers/dialects/wire-names.js';

/** OpenAI takes ids of 64 characters, and items come back with theirs. */
const LONGEST_CALL_ID = 40;

/** An id that belongs to the call, the same whenever it is made. */
export function idOf({ id }: Pick<SurfaceCall, 'id'>, prefix: string, index?: number): string {
  const own = shortened(id.replace(/^req_/, ''), LONGEST_CALL_ID);
  return index === undefined ? `${prefix}_${own}` : `${prefix}_${own}_${index}`;
}

/** What a response tells of its call. */
interface AnsweredCall extends Pick<SurfaceCall, 'id' | 'created' | 'body'> {
  readonly model: { readonly id: string };
}

/**
 * A response that has just begun: what was asked for, as far as it is done. Wishes that a translated
 * request leaves out (a tier, truncation, log probabilities) come back as what is done instead.
 * https://platform.openai.com/docs/api-reference/responses/object
 */
export function responseBegun(call: AnsweredCall): Fields {
  const { body, model, created } = call;
  const reasoning = isObject(body.reasoning) ? body.reasoning : {};
  const text = isObject(body.text) ? body.text : {};
  return {
    id: idOf(call, 'resp'),
    object: 'response',
    created_at: created,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    model: model.id,
    output: [],
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: false,
    temperature: body.temperature ?? 1,
    text: { format: text.format ?? { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_logprobs: 0,
    top_p: body.top_p ?? 1,
    truncation: 'disabled',
    usage: null,
    user: body.user ?? null,
  };
}

/** Why a response ended. */
export interface Ending {
  readonly status: 'completed' | 'incomplete';
  readonly incomplete_details: { readonly reason: string } | null;
}

/**
 * Why a response ended, by the neutral shape's reason. Where the provider's own has no word there,
 * an answer that holds nothing was filtered, and any other is complete.
 */
export function endingOf(ended: Ended, { isEmpty }: { isEmpty: boolean }): Ending {
  if (wasRefused(ended)) return incomplete('content_filter');
  switch (ended.stop_reason) {
    case 'max_tokens':
    case 'model_context_window_exceeded':
      return incomplete('max_output_tokens');
    default:
      return isEmpty && (ended.stop_reason ?? null) === null
        ? incomplete('content_filter')
        : { status: 'completed', incomplete_details: null };
  }
}

function incomplete(reason: string): Ending {
  return { status: 'incomplete', incomplete_details: { reason } };
}
