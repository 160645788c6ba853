import { able } from '../../../contract/ability.js';
import { type Model } from '../../../contract/model.js';
import { type Fields, isObject, isSameList, isText, listOf } from '../../../json/values.js';
import {
  type ChatQuirks,
  isThoughtless,
  THINKING_FIELDS,
  type ThinkingField,
} from './openai-chat-quirks.js';
import { isCalling, plainTurn, withoutEmptyCalls } from './openai-chat-turns.js';
import { isMarked } from '../proof-marks.js';
import { isSubstitute } from '../substitute-model.js';
import { nineCharacters, shortened } from '../wire-names.js';

/**
 * A relayed conversation as this provider takes it, whoever has answered in it so far: thinking in a
 * field in which the provider never thinks is another model's and is left out, because strict
 * providers refuse the field, as they do what only OpenAI says (`plainTurn`); ids of calls get the
 * spelling that the provider wants. An answer of which nothing is left goes, because it is refused.
 * Nothing else changes; undefined when nothing has to. For a provider of which nobody knows how it thinks only
 * developers' turns do, where the caller named another model.
 */
export function chatHistory(
  { messages, thinking, model: named }: Fields,
  model: Pick<Model, 'id' | 'capabilities'>,
  { thinksIn, ...quirks }: ChatQuirks,
): readonly unknown[] | undefined {
  if (!Array.isArray(messages)) return undefined;
  const turns = messages as readonly unknown[];
  const isOther = isSubstitute(named, model);
  if (!thinksIn) return isOther ? withoutDevelopers(turns) : undefined;
  const isThinking = !isObject(thinking) || thinking.type !== 'disabled';
  const wanted = {
    thinksIn: isThoughtless(quirks, model) ? [] : thinksIn,
    provesNothing: quirks.provesNothing === true,
    callId: quirks.shortCallIds ? (isOther ? nineCharacters : ofNineCharacters) : shortId,
    isDemanded: quirks.thinkingHistory === 'required' && able(model, 'thinking') && isThinking,
  };
  const taken = turns.flatMap((turn) => {
    if (!isObject(turn)) return [turn];
    const own = ownTurn(turn, wanted);
    if (!quirks.knowsOpenai) return plainTurn(own) ?? [];
    const isLeftOut = (isOther || own !== turn) && saysNothing(own);
    return isLeftOut ? [] : withoutEmptyCalls(own);
  });
  return isSameList(taken, turns) ? undefined : taken;
}

/**
 * A conversation as it came, but for the turns of developers, which are the system's: Ollama leaves them out,
 * and chat templates of vLLM refuse them, "Unexpected message role."
 * https://github.com/earendil-works/pi/pull/140, https://github.com/ogx-ai/ogx/issues/6069
 */
function withoutDevelopers(turns: readonly unknown[]): readonly unknown[] | undefined {
  const taken = turns.map((turn) =>
    isObject(turn) && turn.role === 'developer' ? { ...turn, role: 'system' } : turn,
  );
  return isSameList(taken, turns) ? undefined : taken;
}

/** OpenAI refuses ids of more than 40 characters, which other providers' calls may have. */
export function shortId(id: string): string {
  return shortened(id, 40);
}

interface Wanted {
  readonly thinksIn: readonly ThinkingField[];
  /** Whether what has a proof is another's. */
  readonly provesNothing: boolean;
  readonly callId: (id: string) => string;
  /** Whether a call without thinking is refused. */
  readonly isDemanded: boolean;
}

function ownTurn(turn: Fields, { callId, isDemanded, ...wanted }: Wanted): Fields {
  if (turn.role === 'tool') return respelled(turn, 'tool_call_id', callId);
  if (turn.role !== 'assistant') return turn;
  const calls = listOf(turn.tool_calls);
  const tool_calls = calls.map((call) => (isObject(call) ? respelled(call, 'id', callId) : call));
  const isRespelled = tool_calls.some((call, at) => call !== calls[at]);
  const own = withoutForeign(isRespelled ? { ...turn, tool_calls } : turn, wanted);
  const isMissing = isDemanded && calls.length > 0 && typeof own.reasoning_content !== 'string';
  return isMissing ? { ...own, reasoning_content: ' ' } : own;
}

/**
 * Ids that providers make are long, a word behind `call_`, eight letters and digits (Gemini's) or twelve
 * behind a tool's name (Cohere's); what a caller made up goes as it came to the model that the caller named.
 */
function ofNineCharacters(id: string): string {
  const isMade =
    id.length >= 20 ||
    /^(?:call_[a-zA-Z0-9]+|[a-zA-Z0-9]{8}|\w+_[a-zA-Z0-9]{12})$/.test(id) ||
    !/^[\w-]+$/.test(id);
  return isMade ? nineCharacters(id) : id;
}

function respelled(fields: Fields, name: string, callId: (id: string) => string): Fields {
  const id = fields[name];
  if (typeof id !== 'string' || callId(id) === id) return fields;
  return { ...fields, [name]: callId(id) };
}

/** Details of another issuer tell that the text beside them is the other's too. */
function withoutForeign(
  turn: Fields,
  { thinksIn, provesNothing }: Pick<Wanted, 'thinksIn' | 'provesNothing'>,
): Fields {
  const details = listOf(turn.reasoning_details);
  const isForeign = provesNothing ? isProvedDetail : isMarkedDetail;
  const isAnothers =
    details.length > 0 && (!thinksIn.includes('reasoning_details') || details.some(isForeign));
  const foreign: readonly string[] = THINKING_FIELDS.filter(
    (field) => isAnothers || !thinksIn.includes(field),
  );
  const said = foreign.includes('content') ? withoutThoughts(turn) : turn.content;
  const isLeftOut = (name: string): boolean => name !== 'content' && foreign.includes(name);
  if (said === turn.content && !Object.keys(turn).some(isLeftOut)) return turn;
  const kept = Object.entries(turn).filter(([name]) => !isLeftOut(name));
  return { ...Object.fromEntries(kept), content: said };
}

/**
 * Whether it is an answer of which OpenAI says "Invalid value for 'content': expected a string, got null":
 * without a content, and without a call or anything else that may be said in its place.
 */
function saysNothing(turn: Fields): boolean {
  if (turn.role !== 'assistant' || isCalling(turn)) return false;
  const { content = null } = turn;
  const hasNone = content === null || (Array.isArray(content) && content.length === 0);
  return hasNone && !INSTEAD.some((field) => isSaid(turn[field]));
}

/** What may be said in place of a content, thinking that its provider wants back among it. */
const INSTEAD = ['refusal', 'audio', 'images', ...THINKING_FIELDS];

function isSaid(value: unknown): boolean {
  return isText(value) || isObject(value) || listOf(value).length > 0;
}

/** Of a provider that proves nothing: whoever proved it, it was another one. */
function isProvedDetail(detail: unknown): boolean {
  return isObject(detail) && (isText(detail.signature) || isText(detail.data));
}

function isMarkedDetail(detail: unknown): boolean {
  return isObject(detail) && (isMarked(detail.signature) || isMarked(detail.data));
}

/**
 * A content without its parts of thinking. Where there is nothing else it is empty:
 * only beside calls it may be null.
 */
function withoutThoughts({ content, tool_calls: calls }: Fields): unknown {
  const parts = listOf(content);
  const said = parts.filter((part) => !isObject(part) || part.type !== 'thinking');
  if (said.length === parts.length) return content;
  if (said.length > 0) return said;
  return listOf(calls).length > 0 ? null : '';
}
