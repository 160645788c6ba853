import { isObject, isText, listOf } from '../../json/values.js';

/**
 * The turns of a chat as Mistral takes them, who refuses some that OpenAI takes: a user's right behind the
 * results of tools, an assistant's at the end that is to be continued and does not say so, and a PDF as
 * OpenAI's `file`. The same list where nothing changes.
 * https://docs.mistral.ai/api/endpoint/chat, https://docs.mistral.ai/capabilities/document_ai/document_qna
 */
export function mistralTurns(turns: readonly unknown[]): readonly unknown[] {
  const taken = turns.flatMap((turn, at) => {
    if (!isObject(turn)) return [turn];
    const before = turns[at - 1];
    const isBehindResults = turn.role === 'user' && isObject(before) && before.role === 'tool';
    const own = withDocuments(continued(turn, at === turns.length - 1));
    return isBehindResults ? [SEEN, own] : [own];
  });
  const isSame = taken.length === turns.length && taken.every((turn, at) => turn === turns[at]);
  return isSame ? turns : taken;
}

/** What an assistant may have said to the results. It cannot say nothing. */
const SEEN = { role: 'assistant', content: 'OK.' } as const;

type Turn = Readonly<Record<string, unknown>>;

function continued(turn: Turn, isLast: boolean): Turn {
  const isBegun = isLast && turn.role === 'assistant' && listOf(turn.tool_calls).length === 0;
  return isBegun && turn.prefix === undefined ? { ...turn, prefix: true } : turn;
}

function withDocuments(turn: Turn): Turn {
  const parts = listOf(turn.content);
  const taken = parts.map((part) => documentOf(part) ?? part);
  return taken.every((part, at) => part === parts[at]) ? turn : { ...turn, content: taken };
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
