import { type NeutralRequest } from '../../../contract/neutral.js';
import { isObject, isSameList, listOf, membersOf } from '../../../json/values.js';
import { withOneText } from './openai-chat-results.js';
import { nested, placed, untranslatable } from '../placed-blocks.js';

/**
 * The turns of a chat, which DeepSeek takes as OpenAI does, but for files and for lists of texts, which only
 * the user may have: "invalid type: sequence, expected a string". The same list where nothing changes.
 * https://api-docs.deepseek.com/api/create-chat-completion, https://github.com/QwenLM/qwen-code/issues/2318,
 * https://github.com/EvoScientist/EvoScientist/pull/77
 *
 * @throws GatewayError 400 for a file: a fallback may read it.
 */
export function deepseekTurns(turns: readonly unknown[]): readonly unknown[] {
  turns.forEach((turn, at) => {
    const parts = isObject(turn) ? listOf(turn.content) : [];
    const file = parts.findIndex((part) => isObject(part) && part.type === 'file');
    if (file >= 0) throw untranslatable(`messages[${at}].content[${file}].type`, NO_FILES);
  });
  const taken = turns.map((turn) => {
    return isObject(turn) && turn.role !== 'user' ? withOneText(turn) : turn;
  });
  return isSameList(taken, turns) ? turns : taken;
}

/**
 * Refuses the same of a request that is yet to be said in OpenAI's turns, whose places are others.
 *
 * @throws GatewayError 400 for a file: a fallback may read it.
 */
export function refuseFiles({ messages }: NeutralRequest): void {
  const file = messages
    .flatMap(({ content }, turn) => placed(content, `messages[${turn}].content`))
    .flatMap((one) => (one.block.type === 'tool_result' ? nested(one, 'content') : [one]))
    .find(({ block }) => membersOf(block.source).type === 'base64' && block.type === 'document');
  if (file) throw untranslatable(`${file.at}.type`, NO_FILES);
}

const NO_FILES = 'this model reads no files.';
