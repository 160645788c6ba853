import { toolInput } from '../../../contract/tool-input.js';
import {
  boundedJson,
  type Fields,
  isObject,
  isSameList,
  isText,
  listOf,
} from '../../../json/values.js';
import { CallNames } from '../call-names.js';
import { withoutEmptyCalls } from './openai-chat-turns.js';

/**
 * The turns of a chat with calls of tools as every server reads them, whoever wrote them: the arguments are a
 * JSON object, which xAI, vLLM and others parse and DeepSeek leaves empty where a tool has none; no call says
 * where in a list it stands, which answers do and strict servers refuse to be told; and no list is empty, which
 * vLLM answers and DeepSeek refuses. The same list where nothing changes.
 * https://github.com/spiceai/spiceai/issues/4734, https://github.com/MoonshotAI/kimi-cli/pull/2196,
 * https://github.com/mistralai/mistral-common/pull/165
 */
export function readableCalls(turns: readonly unknown[]): readonly unknown[] {
  const readable = turns.map((turn) => {
    return isObject(turn) && turn.role === 'assistant' ? withReadableCalls(turn) : turn;
  });
  return isSameList(readable, turns) ? turns : readable;
}

function withReadableCalls(given: Fields): Fields {
  const turn = withoutEmptyCalls(given);
  const { function_call: old } = turn;
  const called = isObject(old) ? withReadableArguments(old) : old;
  const own = called === old ? turn : { ...turn, function_call: called };
  const calls = listOf(turn.tool_calls);
  const readable = calls.map((call) => (isObject(call) ? readableCall(call) : call));
  return isSameList(readable, calls) ? own : { ...own, tool_calls: readable };
}

function readableCall(call: Fields): Fields {
  const { index, ...placed } = call;
  const own = index === undefined ? call : placed;
  if (!isObject(own.function)) return own;
  const called = withReadableArguments(own.function);
  return called === own.function ? own : { ...own, function: called };
}

function withReadableArguments(called: Fields): Fields {
  const { arguments: given } = called;
  if (isText(given) && isObject(boundedJson(given))) return called;
  return { ...called, arguments: JSON.stringify(toolInput(given)) };
}

/**
 * The turns of a chat in which no two calls of a tool have one id and none is empty, as some models give them:
 * OpenAI, MiniMax and DeepSeek refuse that ("Duplicate value for 'tool_call_id'"). The same list where nothing
 * changes.
 * https://github.com/anomalyco/opencode/issues/1211, https://github.com/can1357/oh-my-pi/issues/2055,
 * https://github.com/FerroxLabs/wayland-core/pull/50
 */
export function uniqueIds(turns: readonly unknown[]): readonly unknown[] {
  const names = new CallNames((id) => id);
  const unique = turns.map((turn) => (isObject(turn) ? withUniqueIds(turn, names) : turn));
  return isSameList(unique, turns) ? turns : unique;
}

function withUniqueIds(turn: Fields, names: CallNames): Fields {
  const { role, tool_call_id: of } = turn;
  names.speaker(role === 'assistant');
  if (role === 'tool' && typeof of === 'string') {
    const name = names.ofResult(of);
    return name === of ? turn : { ...turn, tool_call_id: name };
  }
  if (role !== 'assistant') return turn;
  const calls = listOf(turn.tool_calls);
  const own = calls.map((call) => {
    if (!isObject(call) || typeof call.id !== 'string') return call;
    const name = names.ofCall(call.id);
    return name === call.id ? call : { ...call, id: name };
  });
  return isSameList(own, calls) ? turn : { ...turn, tool_calls: own };
}
