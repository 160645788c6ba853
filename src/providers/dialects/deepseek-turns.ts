import { isObject, listOf } from '../../json/values.js';
import { untranslatable } from './placed-blocks.js';

/**
 * The turns of a chat, which DeepSeek takes as OpenAI does, but for files.
 * https://api-docs.deepseek.com/api/create-chat-completion
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
  return turns;
}
