import { type Fields, isObject, isText, listOf, membersOf, textOf } from '../../../json/values.js';

/**
 * A turn as every provider of OpenAI's format takes it, without what OpenAI alone says: a developer's
 * turn is the system's, a refusal is what was said, annotations and fields that say nothing are left
 * out, because strict providers refuse what they do not know. Undefined for an answer without a word
 * or a call, which Mistral and Moonshot refuse.
 * https://docs.mistral.ai/api, https://api-docs.deepseek.com/api/create-chat-completion
 */
export function plainTurn(given: Fields): Fields | undefined {
  if (given.role === 'developer') return { ...given, role: 'system' };
  if (given.role !== 'assistant') return given;
  const turn = withRefusalsSaid(given);
  const isSilent = textOf(turn.content) === '' && listOf(turn.content).length === 0;
  const refusal = isSilent && isText(turn.refusal) ? turn.refusal : undefined;
  if (isSilent && refusal === undefined && !isCalling(turn)) return undefined;
  const isLeftOut = (name: string): boolean =>
    OPENAIS.has(name) || (NULLABLE.has(name) && turn[name] === null);
  if (!Object.keys(turn).some(isLeftOut)) return turn;
  const kept = Object.entries(turn).filter(([name]) => !isLeftOut(name));
  return { ...Object.fromEntries(kept), ...(refusal !== undefined && { content: refusal }) };
}

function withRefusalsSaid(turn: Fields): Fields {
  const parts = listOf(turn.content);
  if (!parts.some(isRefusal)) return turn;
  const content = parts.map((part) =>
    isRefusal(part) ? { type: 'text', text: textOf(part.refusal) } : part,
  );
  return { ...turn, content };
}

function isRefusal(part: unknown): part is Fields {
  return isObject(part) && part.type === 'refusal';
}

/** What answers of OpenAI's and of the gateway have beside text and calls. */
const OPENAIS = new Set(['annotations', 'refusal', 'images']);
/** More of that, which somebody else may have meant where it is not null. */
const NULLABLE = new Set(['audio', 'function_call']);

/** Whether tools are called in a turn, in the older way too. */
export function isCalling(turn: Fields): boolean {
  return Boolean(withoutEmptyCalls(turn).tool_calls ?? turn.function_call);
}

/**
 * Turns of which the system's are the user's where nobody else says anything: Mistral and Perplexity answer
 * to somebody who speaks. The same list otherwise.
 */
export function heardTurns(turns: readonly unknown[]): readonly unknown[] {
  const isAlone = turns.every((turn) => isObject(turn) && turn.role === 'system');
  return isAlone ? turns.map((turn) => ({ ...membersOf(turn), role: 'user' })) : turns;
}

/** Turns without the names of those who speak in them; the same list where nobody has one. */
export function withoutNames(turns: readonly unknown[]): readonly unknown[] {
  return without('name', turns, SPEAKERS);
}

/** Turns without the pictures that an assistant has drawn, which OpenAI does not know there. */
export function withoutDrawings(turns: readonly unknown[]): readonly unknown[] {
  const left = without('images', turns, new Set(['assistant']));
  if (left === turns) return turns;
  return left.map((turn, at) => {
    const isSilent = turn !== turns[at] && isObject(turn) && (turn.content ?? null) === null;
    return isSilent && listOf(turn.tool_calls).length === 0 ? { ...turn, content: '' } : turn;
  });
}

function without(
  field: string,
  turns: readonly unknown[],
  roles: ReadonlySet<unknown>,
): readonly unknown[] {
  const hasIt = (turn: unknown): turn is Fields => {
    return isObject(turn) && roles.has(turn.role) && Object.hasOwn(turn, field);
  };
  if (!turns.some(hasIt)) return turns;
  return turns.map((turn) => {
    if (!hasIt(turn)) return turn;
    return Object.fromEntries(Object.entries(turn).filter(([name]) => name !== field));
  });
}

/** Who may have a name beside tools, whose names are those of their functions. */
const SPEAKERS: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant']);

/**
 * A turn without `tool_calls: []` or null, with which some answer and which OpenAI and DeepSeek refuse:
 * "Expected an array with minimum length 1". https://github.com/NousResearch/hermes-agent/pull/59110
 */
export function withoutEmptyCalls(turn: Fields): Fields {
  const { tool_calls: calls, ...rest } = turn;
  const isEmpty = calls === null || (Array.isArray(calls) && calls.length === 0);
  return isEmpty ? rest : turn;
}
