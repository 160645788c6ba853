import { JSON_ONLY, type NeutralRequest } from '../contract/neutral.js';
import { invalid, unsupported } from '../http/request-fields.js';
import { type Fields, isObject, membersOf, present } from '../json/values.js';
import { conversationOf } from './input-items.js';
import { offeredTools } from './offered-tools.js';
import { tooling } from './tool-choice.js';

/**
 * A Responses request in the neutral shape. Fields that neither format knows travel on as they are.
 * https://platform.openai.com/docs/api-reference/responses/create
 *
 * @throws GatewayError 400 naming the field that the neutral shape cannot carry.
 */
export function readRequest(body: Fields): NeutralRequest {
  refuseLogprobs(body);
  refuseSearch(body);
  const { system, turns } = conversationOf(body);
  const unknown = Object.entries(body).filter(([name]) => !RESPONSES_FIELDS.has(name));
  const { model, user, safety_identifier: safety, temperature, top_p, max_output_tokens } = body;
  const endUser = safety ?? user;
  const tools = tooling(body, offeredTools(body));
  const format = textFormat(body.text);
  return {
    ...Object.fromEntries(unknown),
    ...present({
      temperature,
      top_p,
      max_tokens: max_output_tokens,
      metadata: typeof endUser === 'string' ? { user_id: endUser } : undefined,
    }),
    ...tools,
    ...thinking(body.reasoning, format.schema, tools.tool_choice),
    ...(system.length + format.rule.length > 0 && { system: [...system, ...format.rule] }),
    model: String(model),
    messages: turns,
  };
}

const RESPONSES_FIELDS = new Set([
  // Said in another way.
  'model',
  'input',
  'instructions',
  'max_output_tokens',
  'temperature',
  'top_p',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'text',
  'user',
  'safety_identifier',
  'stream',
  // Settled before: nothing is stored, and nothing is answered later.
  'store',
  'background',
  'previous_response_id',
  'conversation',
  'prompt',
  // Kept in the request log, and given back in the answer.
  'metadata',
  // About tools that OpenAI runs, whose calls no other provider makes.
  'max_tool_calls',
  'include',
  // Wishes to OpenAI's own machines. A tier would change the price; the answer says what was done.
  'service_tier',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'stream_options',
  'client_metadata',
  'moderation',
  'access_programs',
  // What is too long is refused, as with `disabled`, and the answer says so.
  'truncation',
  'context_management',
  // Refused where they are wanted.
  'top_logprobs',
  'web_search_options',
  // How an image is to be made by a tool that only OpenAI runs.
  'image',
]);

/** Who asks for log probabilities needs them; the neutral shape has none. */
function refuseLogprobs({ top_logprobs: top, include }: Fields): void {
  const reason = 'this model gives no log probabilities here.';
  if (typeof top === 'number' && top > 0) throw unsupported('top_logprobs', reason);
  const asked = Array.isArray(include) ? include.indexOf('message.output_text.logprobs') : -1;
  if (asked >= 0) throw unsupported(`include[${asked}]`, reason);
}

/** A field of Chat Completions alone: without it the answer would be another, and nobody would say so. */
function refuseSearch({ web_search_options: search }: Fields): void {
  if ((search ?? null) === null) return;
  throw unsupported(
    'web_search_options',
    'is for Chat Completions; this model does not search here.',
  );
}

/**
 * `json_object` promises JSON of any schema, which no provider but OpenAI does: it is asked for in
 * words. `verbosity` is a matter of taste, and is left to the model.
 */
function textFormat(text: unknown): { schema?: object; rule: { type: 'text'; text: string }[] } {
  const format = (isObject(text) ? text.format : undefined) ?? { type: 'text' };
  const { type, schema } = membersOf(format);
  switch (type) {
    case 'text':
      return { rule: [] };
    case 'json_object':
      return { rule: [{ type: 'text', text: JSON_ONLY }] };
    case 'json_schema':
      if (!isObject(schema)) throw invalid('text.format.schema', 'must be an object.');
      return { schema: { type, schema }, rule: [] };
    default:
      throw invalid('text.format.type', 'must be text, json_object or json_schema.');
  }
}

/** https://docs.anthropic.com/en/docs/build-with-claude/adaptive-thinking, …/effort */
function thinking(reasoning: unknown, format: object | undefined, choice: unknown): Fields {
  const { effort: asked, summary, generate_summary } = membersOf(reasoning);
  const effort = EFFORTS.get(asked);
  if ((asked ?? null) !== null && asked !== 'none' && !effort) {
    const known = ['none', ...EFFORTS.keys()].join(', ');
    throw invalid('reasoning.effort', `must be one of ${known}.`);
  }
  const output_config = present({ effort, format });
  // A model that must call a tool may not think before.
  const forced = isObject(choice) && (choice.type === 'any' || choice.type === 'tool');
  const display = (summary ?? generate_summary ?? null) !== null && { display: 'summarized' };
  return {
    ...(Object.keys(output_config).length > 0 && { output_config }),
    ...(effort && !forced && { thinking: { type: 'adaptive', ...display } }),
    ...(asked === 'none' && { thinking: { type: 'disabled' } }),
  };
}

const EFFORTS: ReadonlyMap<unknown, string> = new Map([
  ['minimal', 'low'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
  ['xhigh', 'xhigh'],
  ['max', 'max'],
]);
