import {
  type Fields,
  isObject,
  isSameList,
  listOf,
  membersOf,
  textOf,
} from '../../../json/values.js';
import { apart } from './openai-chat-parts.js';

/**
 * The turns of a chat in which results of tools are text: the pictures and files in them are shown by the
 * user right behind all results, as those of a Messages request are; and one text, for DeepSeek refuses a list
 * of them, and Kimi does not read it. The same list where they are all that already.
 * "Image URLs are only allowed for messages with role 'user'": https://platform.openai.com/docs/api-reference/chat/create
 * https://github.com/Gitlawb/openclaude/pull/806, https://github.com/strands-agents/harness-sdk/pull/1878
 */
export function textResults(turns: readonly unknown[]): readonly unknown[] {
  if (turns.every((turn) => !isResult(turn) || asText(turn) === turn)) return turns;
  const taken: unknown[] = [];
  let shown: unknown[] = [];
  for (const turn of turns) {
    if (isResult(turn)) {
      shown.push(...shownIn(turn));
      taken.push(asText(turn));
      continue;
    }
    const isUser = isObject(turn) && turn.role === 'user';
    if (shown.length > 0 && !isUser) taken.push({ role: 'user', content: shown });
    taken.push(shown.length > 0 && isUser ? { ...turn, content: [...shown, ...said(turn)] } : turn);
    shown = [];
  }
  return shown.length > 0 ? [...taken, { role: 'user', content: shown }] : taken;
}

function isResult(turn: unknown): turn is Fields {
  return isObject(turn) && turn.role === 'tool';
}

function shownIn({ content }: Fields): readonly unknown[] {
  return apart(listOf(content).map(membersOf)).attachments;
}

function asText(turn: Fields): Fields {
  if (shownIn(turn).length === 0) return withOneText(turn);
  return { ...turn, content: apart(listOf(turn.content).map(membersOf)).text };
}

/** A turn of which a list of nothing but texts is one text; the same turn for any other, or a marked one. */
export function withOneText(turn: Fields): Fields {
  const { content } = turn;
  if (!Array.isArray(content)) return turn;
  const parts = content.map(membersOf);
  const isPlain = parts.every(
    ({ type, cache_control: mark }) => type === 'text' && mark === undefined,
  );
  return isPlain ? { ...turn, content: apart(parts).text } : turn;
}

/**
 * Turns of which an answer's list of nothing but texts is one text, of which Kimi refuses an empty one: "text
 * content is empty". The same list where nothing changes. https://github.com/BerriAI/litellm/issues/42186
 */
export function plainAnswers(turns: readonly unknown[]): readonly unknown[] {
  const plain = turns.map((turn) => {
    return isObject(turn) && turn.role === 'assistant' ? withOneText(turn) : turn;
  });
  return isSameList(plain, turns) ? turns : plain;
}

function said({ content }: Fields): readonly unknown[] {
  if (Array.isArray(content)) return listOf(content);
  const text = textOf(content);
  return text === '' ? [] : [{ type: 'text', text }];
}
