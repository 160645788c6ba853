import { BYTES_PER_TOKEN, NO_USAGE, type Usage } from '../../contract/usage.js';
import { membersOf, parsedObject, textOf } from '../../json/values.js';
import { type ServerEvent } from '../provider.js';

/** An event without it is not parsed. */
const MARK = '"advisor_tool_result"';

/**
 * The tokens of the advice in the event that begins a block, where it stands whole, by our own count.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool#streaming
 */
export function adviceIn({ data }: ServerEvent): readonly number[] {
  if (!data.includes(MARK)) return [];
  const { type, content } = membersOf(parsedObject(data)?.content_block);
  const { text, encrypted_content } = membersOf(content);
  // What is sealed counts by what it is the base64 of, as in a request.
  const bytes = Buffer.byteLength(textOf(text)) + (textOf(encrypted_content).length * 3) / 4;
  if (type !== 'advisor_tool_result' || bytes === 0) return [];
  return [Math.ceil(bytes / BYTES_PER_TOKEN)];
}

/**
 * What an advisor consumed who was heard before the usage told of it: each time what the model itself was sent,
 * and the advice. Undefined where the usage tells, or nobody was heard.
 */
export function advised(
  usage: Usage | undefined,
  advice: readonly number[],
): Partial<Usage> | undefined {
  if (!usage || usage.help || advice.length === 0) return undefined;
  const { inputTokens, cacheReadTokens, surchargePercent } = usage;
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  const read = {
    ...NO_USAGE,
    inputTokens: inputTokens + cacheReadTokens + written,
    surchargePercent,
  };
  return { help: advice.map((outputTokens) => ({ ...read, outputTokens })) };
}
