import { isObject, isSameList, isText, listOf, membersOf } from '../../../json/values.js';

/**
 * The turns of a chat as Mistral takes them, who refuses some that OpenAI takes: the system's right behind the
 * assistant's or the results of tools ("Unexpected role 'system' after role 'assistant'"), which are the user's
 * there, a user's right behind results, an assistant's at the end that is to be continued and does not say
 * so, and a PDF as OpenAI's `file`. The same list where nothing changes.
 * https://docs.mistral.ai/api/endpoint/chat, https://docs.mistral.ai/capabilities/document_ai/document_qna,
 * https://github.com/mistralai/mistral-common/blob/main/src/mistral_common/protocol/instruct/validator.py
 */
export function mistralTurns(turns: readonly unknown[]): readonly unknown[] {
  const spoken = withoutLaterRules(turns);
  const taken = spoken.flatMap((turn, at) => {
    if (!isObject(turn)) return [turn];
    const isBehindResults = turn.role === 'user' && membersOf(spoken[at - 1]).role === 'tool';
    const own = withDocuments(continued(turn, at === spoken.length - 1));
    return isBehindResults ? [SEEN, own] : [own];
  });
  return isSameList(taken, turns) ? turns : taken;
}

/** What an assistant may have said to the results. It cannot say nothing. */
const SEEN = { role: 'assistant', content: 'OK.' } as const;

type Turn = Readonly<Record<string, unknown>>;

function withoutLaterRules(turns: readonly unknown[]): readonly unknown[] {
  let speaker: unknown;
  return turns.map((turn) => {
    const { role } = membersOf(turn);
    if (role !== 'system') speaker = role;
    else if (speaker === 'assistant' || speaker === 'tool')
      return { ...membersOf(turn), role: 'user' };
    return turn;
  });
}

function continued(turn: Turn, isLast: boolean): Turn {
  const isBegun = isLast && turn.role === 'assistant' && listOf(turn.tool_calls).length === 0;
  return isBegun && turn.prefix === undefined ? { ...turn, prefix: true } : turn;
}

function withDocuments(turn: Turn): Turn {
  const parts = listOf(turn.content);
  const taken = parts.map((part) => documentOf(part) ?? part);
  return isSameList(taken, parts) ? turn : { ...turn, content: taken };
}

function documentOf(part: unknown): object | undefined {
  if (!isObject(part) || part.type !== 'file' || !isObject(part.file)) return undefined;
  const { filename, file_data: data } = part.file;
  if (!isText(data)) return undefined;
  return {
    type: 'document_url',
    document_url: data,
    ...(isText(filename) && { document_name: filename }),
  };
}
