import { type Fields, isObject, listOf, membersOf, textOf } from '../../json/values.js';
import { apart } from './openai-chat-parts.js';

/**
 * The turns of a chat in which results of tools are text: the pictures and files in them are shown by the
 * user right behind all results, as those of a Messages request are. The same list where there are none.
 * "Image URLs are only allowed for messages with role 'user'": https://platform.openai.com/docs/api-reference/chat/create
 */
export function textResults(turns: readonly unknown[]): readonly unknown[] {
  if (!turns.some((turn) => isResult(turn) && shownIn(turn).length > 0)) return turns;
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
  if (shownIn(turn).length === 0) return turn;
  return { ...turn, content: apart(listOf(turn.content).map(membersOf)).text };
}

function said({ content }: Fields): readonly unknown[] {
  if (Array.isArray(content)) return listOf(content);
  const text = textOf(content);
  return text === '' ? [] : [{ type: 'text', text }];
}
