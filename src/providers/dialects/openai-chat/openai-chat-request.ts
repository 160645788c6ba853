import { able } from '../../../contract/ability.js';
import { type NeutralRequest } from '../../../contract/neutral.js';
import { present } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { alternatingTurns, refuseOneSided } from './alternating-turns.js';
import { askedEffort, askedSchema, refuseAnthropicsOwn } from '../asked-output.js';
import { cacheAsked } from '../automatic-cache.js';
import { claudeOf } from '../anthropic/claude-model.js';
import { extraFields } from '../extra-fields.js';
import { takenFields } from './openai-chat-fields.js';
import { chatMessages } from './openai-chat-messages.js';
import {
  type ChatQuirks,
  knownFields,
  renamed,
  switchedTo,
  takesCallsInTurn,
} from './openai-chat-quirks.js';
import { refuseBinding } from './openai-chat-refusals.js';
import { openaiEffort } from './openai-effort.js';
import { openaiTooling, type Tooling, withForcedAlone } from './openai-chat-tools.js';
import { fitsStrict } from '../strict-schema.js';
import { isSubstitute, suitedExtras, suitedTemperature } from '../substitute-model.js';
import { wireUser } from '../wire-names.js';

/**
 * The body of a chat completions call. What only Anthropic knows is left out (`top_k`, cache marks,
 * `context_management`, …); every other field that is not known here travels on as it is.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 naming the field that cannot be translated.
 */
export function chatRequestBody(
  call: CallContext<'messages'>,
  quirks: ChatQuirks = {},
): Record<string, unknown> {
  const { request, model, stream } = call;
  refuseAnthropicsOwn(request);
  quirks.refuse?.(request);
  const isReasoning = able(model, 'thinking');
  const { stream_options, ...extras } = extraFields(request);
  const format = responseFormat(request);
  const { model: named, stop_sequences: stop } = request;
  refuseBinding({ named, format: format?.type, stop }, model, quirks);
  const said = chatMessages(call, quirks);
  const messages = quirks.alternates ? alternatingTurns(said) : said;
  if (quirks.alternates && isSubstitute(named, model)) refuseOneSided(messages);
  const taken = takenFields(named, model, quirks);
  const body = {
    ...quirks.asks,
    ...(taken ? suitedExtras(extras, call, taken) : extras),
    ...present({
      model: model.name,
      messages: quirks.turns?.(messages) ?? messages,
      // Reasoning models refuse `max_tokens`; compatible servers may know nothing else.
      [isReasoning ? 'max_completion_tokens' : 'max_tokens']: request.max_tokens,
      temperature: suitedTemperature(request, model, quirks.temperatures),
      top_p: request.top_p,
      ...thoughtFields(call, quirks, extras.reasoning),
      cache_control:
        quirks.automaticCache && claudeOf(model.name) ? cacheAsked(request) : undefined,
      stop: request.stop_sequences?.length ? request.stop_sequences : undefined,
      ...toolingFor(request, quirks),
      response_format: format,
      user: wireUser(request.metadata?.user_id),
      ...(stream && streaming(stream_options)),
    }),
  };
  const isSerial = quirks.knowsOpenai && takesCallsInTurn(model);
  return renamed(body, {
    ...knownFields(request.model, model, quirks),
    ...(isSerial && { parallel_tool_calls: undefined }),
  });
}

/** Whether the model is to think and how much, in the words of its provider. */
function thoughtFields(
  call: CallContext<'messages'>,
  quirks: ChatQuirks,
  reasoning: unknown,
): Record<string, unknown> {
  const { request, model } = call;
  const isReasoning = able(model, 'thinking');
  const wish = quirks.thinkingSwitch ? thinkingWish(request, isReasoning) : undefined;
  const switched = switchedTo(wish, quirks, isReasoning);
  // An effort is refused where there is none to make.
  const makesNone = quirks.effortless?.test(model.id) === true;
  if (!isReasoning || wish === 'disabled' || makesNone) return switched;
  const effort = effortFor(call, quirks);
  const isUntold = quirks.takesReasoning && effort === undefined && asksToThink(request);
  return {
    ...switched,
    reasoning_effort: effort,
    reasoning: isUntold ? (reasoning ?? { enabled: true }) : undefined,
  };
}

function effortFor(
  { request, model }: CallContext<'messages'>,
  { onlyEffort, knowsOpenai }: ChatQuirks,
): string | undefined {
  const asked = knowsOpenai ? openaiEffort(request, model) : askedEffort(request);
  if (!onlyEffort) return asked;
  const { thinking } = request;
  // Nothing tells it to think but that.
  return thinking?.type !== 'disabled' && (asked ?? thinking) ? onlyEffort : undefined;
}

/** Whether it is to think without being told how much: Claude at OpenRouter does not think unasked. */
function asksToThink({ thinking }: NeutralRequest): boolean {
  return thinking !== undefined && thinking.type !== 'disabled';
}

/** "Thinking mode does not support this tool_choice", which it is in unless it is told otherwise. */
function thinkingWish(
  { thinking, tool_choice: choice }: NeutralRequest,
  isReasoning: boolean,
): 'enabled' | 'disabled' | undefined {
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  if (isForced && (isReasoning || thinking)) return 'disabled';
  if (!thinking) return undefined;
  return thinking.type === 'disabled' ? 'disabled' : 'enabled';
}

function toolingFor(request: NeutralRequest, { namesNoTool }: ChatQuirks): Tooling {
  const tooling = openaiTooling(request);
  return namesNoTool ? withForcedAlone(tooling) : tooling;
}

function responseFormat(request: NeutralRequest): { readonly type: string } | undefined {
  const schema = askedSchema(request);
  // Anthropic promises output that fits the schema; only the strict mode, where it can be, does the same.
  const json_schema = { name: 'response', schema, strict: fitsStrict(schema) };
  const format = { type: 'json_schema', json_schema };
  return schema === undefined ? undefined : format;
}

function streaming(options: unknown): object {
  return {
    stream: true,
    stream_options: { ...(options as object | undefined), include_usage: true },
  };
}
