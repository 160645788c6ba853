import { type Edits } from '../../json/splice.js';
import { type Fields, isText, listOf, membersOf } from '../../json/values.js';
import { type RelayContext } from '../provider.js';
import { alternatingTurns, refuseOneSided } from './alternating-turns.js';
import { unmarked } from './cache-marks.js';
import { readableCalls, uniqueIds } from './openai-chat-calls.js';
import { knownTurns, takenFields } from './openai-chat-fields.js';
import { chatHistory } from './openai-chat-history.js';
import { type ChatQuirks, knownFields } from './openai-chat-quirks.js';
import { refuseBinding, refuseOpenaisOwn } from './openai-chat-refusals.js';
import { plainAnswers, textResults } from './openai-chat-results.js';
import { heardTurns, withoutNames } from './openai-chat-turns.js';
import { suitedTier } from './service-tier.js';
import { isOfProvider, isUnnamed, suitedTemperature } from './unnamed-model.js';
import { unnamedThinking } from './unnamed-thinking.js';
import { wholeTools } from './whole-schema.js';
import { wireToolName } from './wire-names.js';

/**
 * What changes in a relayed chat: the model's name, fields and turns that the provider does not know, and a
 * stream is always asked for its usage.
 * https://platform.openai.com/docs/api-reference/chat/create
 *
 * @throws GatewayError 400 for what the model does not take, which a fallback may.
 */
export function chatEdits({ model, stream, body }: RelayContext, quirks: ChatQuirks): Edits {
  const fields = knownFields(body.model, model, quirks);
  const edits = new Map<string, string | undefined>([['model', JSON.stringify(model.name)]]);
  const isOther = isUnnamed(body.model, model);
  const taken = takenFields(body.model, model, quirks);
  const { model: named, response_format: format, stop, logprobs, n } = body;
  refuseBinding({ named, format: membersOf(format).type, stop, logprobs, n }, model, quirks);
  refuseOpenaisOwn(body, model, quirks);
  const given = isOther && Array.isArray(body.messages) ? uniqueIds(body.messages) : body.messages;
  const history = chatHistory({ ...body, messages: given }, model, quirks) ?? given;
  const isOurs = isOther || history !== body.messages;
  const isStranger = taken !== undefined && !isOfProvider(body.model, model.provider);
  const turns = Array.isArray(history)
    ? turnsFor(history, { isOther, isOurs, isStranger }, quirks)
    : history;
  if (turns !== body.messages) edits.set('messages', JSON.stringify(turns));
  for (const [name, json] of isOther ? toolEdits(body, quirks) : []) edits.set(name, json);
  const answers = isOther ? withWireName(format) : format;
  if (answers !== format) edits.set('response_format', JSON.stringify(answers));
  for (const name of isOther ? withoutTools(body) : []) edits.set(name, undefined);
  const temperature = suitedTemperature(body, model, quirks.temperatures);
  if (temperature !== body.temperature) edits.set('temperature', JSON.stringify(temperature));
  const tier = quirks.knowsOpenai ? suitedTier(body, model) : body.service_tier;
  if (tier !== body.service_tier) edits.set('service_tier', undefined);
  for (const [name, known] of Object.entries(fields)) {
    if (!Object.hasOwn(body, name)) continue;
    edits.set(name, undefined);
    if (known !== undefined && !Object.hasOwn(body, known)) {
      edits.set(known, JSON.stringify(body[name]));
    }
  }
  const isStrange = (name: string): boolean => !taken?.has(name) && !Object.hasOwn(fields, name);
  for (const name of taken ? Object.keys(body).filter(isStrange) : []) edits.set(name, undefined);
  const thinking = isOther ? unnamedThinking(body, model, { ...quirks, fields }) : [];
  for (const [name, json] of thinking) edits.set(name, json);
  if (!stream || Object.hasOwn(fields, 'stream_options')) return edits;
  const options = body.stream_options as Record<string, unknown> | null | undefined;
  return edits.set('stream_options', JSON.stringify({ ...options, include_usage: true }));
}

/**
 * What says nothing where no tool is on offer, and is refused there: "Invalid 'tools': empty array" by OpenAI
 * and DeepSeek, "'parallel_tool_calls' is only allowed when 'tools' are specified" by OpenAI.
 * https://github.com/continuedev/continue/issues/3370, https://github.com/runebookai/tome/pull/87,
 * https://github.com/camel-ai/camel/pull/3706
 */
function withoutTools(body: Fields): readonly string[] {
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

/** Who reads the turns of a conversation. */
interface Reader {
  /** A model that the caller did not name. */
  readonly isOther: boolean;
  /** The gateway has changed them. */
  readonly isOurs: boolean;
  /** A provider that refuses what it does not know, where another's model was named. */
  readonly isStranger: boolean;
}

function turnsFor(
  history: readonly unknown[],
  { isOther, isOurs, isStranger }: Reader,
  { namesNobody, thinksIn, alternates, turns: taken, ...quirks }: ChatQuirks,
): readonly unknown[] {
  const known = isStranger ? knownTurns(history, thinksIn) : history;
  const readable = isOther ? readableCalls(known) : known;
  const unnamed = isOther && namesNobody ? withoutNames(readable) : readable;
  const isUnmarked = isOther && refusesMarks({ thinksIn, ...quirks });
  const plain = isUnmarked ? listOf(unmarked(unnamed)) : unnamed;
  // What a server of the operator's own takes in results nobody knows.
  const shown = isOther && thinksIn ? textResults(plain) : plain;
  const isStrict = isOther && thinksIn && !quirks.knowsOpenai;
  const heard = isStrict ? heardTurns(plainAnswers(shown)) : shown;
  // A turn that the caller of the named model sent is judged by that one, unless the gateway took one away.
  const spoken = alternates && isOurs ? alternatingTurns(heard) : heard;
  if (alternates && isOther) refuseOneSided(spoken);
  return taken?.(spoken) ?? spoken;
}

/** An answer's schema by a name that OpenAI takes; others take any, and nobody is told it in the answer. */
function withWireName(format: unknown): unknown {
  const { json_schema: schema } = membersOf(format);
  const { name } = membersOf(schema);
  if (!isText(name) || wireToolName(name) === name) return format;
  return { ...membersOf(format), json_schema: { ...membersOf(schema), name: wireToolName(name) } };
}

/** What a server of the operator's own does with marks nobody knows. */
function refusesMarks({ thinksIn, takesCacheMarks }: ChatQuirks): boolean {
  return thinksIn !== undefined && takesCacheMarks !== true;
}

/** The edits by which tools get whole schemas, and they and the request itself lose their marks. */
function toolEdits(body: Fields, quirks: ChatQuirks): Edits {
  const edits = new Map<string, string | undefined>();
  const isUnmarked = refusesMarks(quirks);
  if (isUnmarked && Object.hasOwn(body, 'cache_control')) edits.set('cache_control', undefined);
  for (const name of ['tools', 'functions']) {
    const plain = wholeTools(isUnmarked ? unmarked(body[name]) : body[name]);
    if (plain !== body[name]) edits.set(name, JSON.stringify(plain));
  }
  return edits;
}
