import { type Edits, editsOfChanged } from '../../../json/splice.js';
import { type Fields, isText, listOf, membersOf } from '../../../json/values.js';
import { type RelayContext } from '../../provider.js';
import { unmarked } from '../cache-marks.js';
import { takenFields } from './openai-chat-fields.js';
import { type ChatQuirks, knownFields, refusesMarks } from './openai-chat-quirks.js';
import { refuseBinding, refuseOpenaisOwn } from './openai-chat-refusals.js';
import { relayedTurns } from './openai-chat-relayed-turns.js';
import { suitedTier } from '../service-tier.js';
import { isSubstitute, suitedTemperature } from '../substitute-model.js';
import { substituteThinking } from './substitute-thinking.js';
import { wholeTools } from '../whole-schema.js';
import { wireToolName } from '../wire-names.js';

/**
 * What changes in a relayed chat: the model's name, fields and turns that the provider does not know, and a
 * stream is always asked for its usage.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 for what the model does not take, which a fallback may.
 */
export function chatEdits({ model, stream, body }: RelayContext, quirks: ChatQuirks): Edits {
  const { model: named, response_format: format, stop, logprobs, n } = body;
  refuseBinding({ named, format: membersOf(format).type, stop, logprobs, n }, model, quirks);
  refuseOpenaisOwn(body, model, quirks);
  const isOther = isSubstitute(named, model);
  const fields = knownFields(named, model, quirks);
  const taken = takenFields(named, model, quirks);
  const suited = {
    messages: relayedTurns(body, model, quirks),
    ...(isOther && { ...suitedTools(body, quirks), response_format: withWireName(format) }),
    temperature: suitedTemperature(body, model, quirks.temperatures),
    ...(quirks.knowsOpenai && { service_tier: suitedTier(body, model) }),
  };
  return new Map([
    ['model', JSON.stringify(model.name)],
    ...editsOfChanged(suited, body),
    ...(isOther ? [...without(idleToolFields(body)), ...asking(body, quirks)] : []),
    ...renamings(body, fields),
    ...(taken ? without(strangers(body, taken, fields)) : []),
    ...(isOther ? substituteThinking(body, model, { ...quirks, fields }) : []),
    ...(stream && !Object.hasOwn(fields, 'stream_options') ? [usageOption(body)] : []),
  ]);
}

type Edit = readonly [name: string, json: string | undefined];

function without(names: readonly string[]): readonly Edit[] {
  return names.map((name) => [name, undefined]);
}

/** What the provider has to be asked for, which a caller who named another model cannot know. */
function asking(body: Fields, { asks = {} }: ChatQuirks): readonly Edit[] {
  return Object.entries(asks)
    .filter(([name]) => !Object.hasOwn(body, name))
    .map(([name, value]) => [name, JSON.stringify(value)]);
}

/** Fields that the provider calls otherwise, or refuses; what the caller says by its own name counts. */
function renamings(body: Fields, fields: NonNullable<ChatQuirks['fields']>): readonly Edit[] {
  return Object.entries(fields).flatMap(([name, known]): readonly Edit[] => {
    if (!Object.hasOwn(body, name)) return [];
    const isFree = known !== undefined && !Object.hasOwn(body, known);
    return [[name, undefined], ...(isFree ? [[known, JSON.stringify(body[name])] as const] : [])];
  });
}

/** Fields that a provider does not know which takes these alone. */
function strangers(body: Fields, taken: ReadonlySet<string>, fields: object): readonly string[] {
  return Object.keys(body).filter((name) => !taken.has(name) && !Object.hasOwn(fields, name));
}

/** Asks for the usage, beside what the caller asks of the stream. */
function usageOption({ stream_options: options }: Fields): Edit {
  return ['stream_options', JSON.stringify({ ...membersOf(options), include_usage: true })];
}

/**
 * What says nothing where no tool is on offer, and is refused there: "Invalid 'tools': empty array" by OpenAI
 * and DeepSeek, "'parallel_tool_calls' is only allowed when 'tools' are specified" by OpenAI.
 * https://github.com/continuedev/continue/issues/3370, https://github.com/runebookai/tome/pull/87,
 * https://github.com/camel-ai/camel/pull/3706
 */
function idleToolFields(body: Fields): readonly string[] {
  const { tools, functions, tool_choice: choice, function_call: call } = body;
  if (listOf(tools).length > 0) return [];
  const isFree = (wish: unknown): boolean => wish === 'none' || wish === 'auto';
  const idle = [
    'tools',
    'parallel_tool_calls',
    ...(isFree(choice) ? ['tool_choice'] : []),
    ...(listOf(functions).length > 0
      ? []
      : ['functions', ...(isFree(call) ? ['function_call'] : [])]),
  ];
  return idle.filter((name) => Object.hasOwn(body, name));
}

/** An answer's schema by a name that OpenAI takes; others take any, and nobody is told it in the answer. */
function withWireName(format: unknown): unknown {
  const { json_schema: schema } = membersOf(format);
  const { name } = membersOf(schema);
  if (!isText(name) || wireToolName(name) === name) return format;
  return { ...membersOf(format), json_schema: { ...membersOf(schema), name: wireToolName(name) } };
}

/** Tools with whole schemas; they and the request itself lose their marks where those are refused. */
function suitedTools({ tools, functions }: Fields, quirks: ChatQuirks): Fields {
  const isUnmarked = refusesMarks(quirks);
  return {
    tools: wholeTools(isUnmarked ? unmarked(tools) : tools),
    functions: wholeTools(isUnmarked ? unmarked(functions) : functions),
    ...(isUnmarked && { cache_control: undefined }),
  };
}
