import { isObject, isSameList, listOf } from '../../../json/values.js';
import { withOneText } from './openai-chat-results.js';
import { untranslatable } from '../placed-blocks.js';

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
    if (file >= 0)
      throw untranslatable(`messages[${at}].content[${file}].type`, 'this model reads no files.');
  });
  const taken = turns.map((turn) => {
    return isObject(turn) && turn.role !== 'user' ? withOneText(turn) : turn;
  });
  return isSameList(taken, turns) ? turns : taken;
}
