import { able } from '../../../contract/ability.js';
import { GatewayError } from '../../../contract/gateway-error.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { listOf, present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { askedSchema, refuseAnthropicsOwn } from '../asked-output.js';
import { lookedAt } from './chat-image-detail.js';
import { type ChatWords, chatWords, withoutIdle } from './chat-words.js';
import { extraFields } from '../extra-fields.js';
import { openaiTooling } from '../openai-chat/openai-chat-tools.js';
import { openaiEffort } from '../openai-chat/openai-effort.js';
import { untranslatable } from '../placed-blocks.js';
import { responsesInput } from './responses-input.js';
import { ENCRYPTED_REASONING } from './responses-reasoning.js';
import { fitsStrict } from '../strict-schema.js';
import { isSubstitute, suitedExtras } from '../substitute-model.js';
import { wireUser } from '../wire-names.js';

/**
 * The body of a stateless Responses call: OpenAI keeps nothing, so its reasoning comes along
 * encrypted. What only Anthropic knows is left out (`top_k`, cache marks, …); every other field that
 * is not known here travels on as it is to a model that the caller named.
 * https://platform.openai.com/docs/api-reference/responses/create
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function responsesRequestBody(call: CallContext<'messages'>): Record<string, unknown> {
  const { request, model, stream } = call;
  refuseAnthropicsOwn(request);
  refuseStored(request);
  if (request.stop_sequences?.length) {
    throw untranslatable('stop_sequences', 'this model cannot be stopped by a text.');
  }
  const { reasoning, text, verbosity, include, ...extra } = extraFields(request);
  const reasons = able(model, 'thinking');
  const words = chatWords(call);
  const isSampled = !reasons || !isSubstitute(request.model, model);
  // It may refuse even the value that it has by itself.
  const sampled = (value: unknown) => (isSampled && !(reasons && value === 1) ? value : undefined);
  return {
    ...suitedExtras(words ? withoutIdle(extra) : extra, call, RESPONSES_FIELDS),
    ...present({
      model: model.name,
      input: lookedAt(responsesInput(request, model), call),
      max_output_tokens: outputLimit(request.max_tokens),
      temperature: sampled(request.temperature),
      top_p: sampled(request.top_p),
      ...functionTooling(request),
      reasoning: some({ ...(reasons && reasoningAsked(call, words)), ...(reasoning as object) }),
      text: some({ verbosity, format: words?.format ?? format(request), ...(text as object) }),
      include: some([...new Set([...listOf(include), ...(reasons ? [ENCRYPTED_REASONING] : [])])]),
      user: wireUser(request.metadata?.user_id),
      ...words?.fields,
      store: false,
      stream: stream || undefined,
    }),
  };
}

const RESPONSES_FIELDS = new Set([
  'max_tool_calls',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'top_logprobs',
  'truncation',
]);

/**
 * What OpenAI keeps lies in the gateway's own account, where it may be any caller's; and nobody could
 * fetch what it is to answer later.
 */
function refuseStored(request: NeutralRequest): void {
  const stored = STORED.find((field) => (request[field] ?? null) !== null);
  const param = stored ?? (request.background === true ? 'background' : undefined);
  if (param === undefined) return;
  const details = { param, upstream: { status: 0 } };
  const message = `Unsupported parameter: '${param}': nothing is stored here.`;
  throw new GatewayError(400, 'unsupported_parameter', message, details);
}

const STORED = ['previous_response_id', 'conversation', 'prompt'];

/** OpenAI refuses a lower limit, which clients send to see whether a model answers at all. */
const LEAST_OUTPUT_TOKENS = 16;

/** The limit of an answer as OpenAI takes it; undefined for what is none. */
export function outputLimit(limit: unknown): number | undefined {
  return typeof limit === 'number' ? Math.max(limit, LEAST_OUTPUT_TOKENS) : undefined;
}

/** A summary is asked for only where thinking is: not every organization may have one. */
function reasoningAsked(
  { request, model }: CallContext<'messages'>,
  words: ChatWords | undefined,
): object {
  const { thinking } = request;
  const isOn = thinking?.type === 'enabled' || thinking?.type === 'adaptive';
  const isShown = isOn && thinking.display !== 'omitted' && words?.showsThinking !== false;
  return present({ effort: openaiEffort(request, model), summary: isShown ? 'auto' : undefined });
}

function format(request: NeutralRequest): object | undefined {
  const schema = askedSchema(request);
  if (!schema) return undefined;
  // Anthropic promises output that fits the schema; only the strict mode, where it can be, does the same.
  return { type: 'json_schema', name: 'response', schema, strict: fitsStrict(schema) };
}

/** Functions lie flat here, and are strict unless they say that they are not. */
function functionTooling(request: NeutralRequest): Record<string, unknown> {
  const { tools, tool_choice: choice, parallel_tool_calls } = openaiTooling(request);
  return {
    tools: tools?.map(({ function: { strict, parameters, ...named } }) => ({
      type: 'function',
      ...named,
      parameters: parameters ?? { type: 'object', properties: {} },
      strict: strict === true,
    })),
    tool_choice: typeof choice === 'object' ? { type: 'function', ...choice.function } : choice,
    parallel_tool_calls,
  };
}

/** Undefined for what says nothing. */
function some<T extends object>(value: T): T | undefined {
  const said = Object.values(value).some((field) => field !== undefined);
  return said ? value : undefined;
}
