import { BYTES_PER_TOKEN, NO_USAGE, type Usage } from '../../../contract/usage.js';
import { type Fields, membersOf, parsedObject, textOf } from '../../../json/values.js';
import { type ServerEvent } from '../../provider.js';

/** An event without one of them is not parsed. */
const MARKS = /"(advisor|web_search)_tool_result"/;

/** What tools that run at Anthropic were seen to do for a message, of which its usage tells only at the end. */
export class SeenTools {
  /** Tokens of each piece, by our own count. */
  private readonly advice: number[] = [];
  private searches = 0;

  /** @param event that begins a block, where a result stands whole. */
  take({ data }: ServerEvent): void {
    if (!MARKS.test(data)) return;
    const { type, content } = membersOf(parsedObject(data)?.content_block);
    if (type === 'advisor_tool_result') this.advice.push(...adviceIn(membersOf(content)));
    // https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool: an error costs nothing.
    if (type === 'web_search_tool_result' && Array.isArray(content)) this.searches += 1;
  }

  /** What of that the usage does not tell; undefined for nothing. */
  beside(usage: Usage | undefined): Partial<Usage> | undefined {
    const help = advised(usage, this.advice);
    const webSearches = Math.max(this.searches, usage?.webSearches ?? 0);
    if (!help && webSearches === 0) return undefined;
    return { ...(help && { help }), webSearches };
  }
}

/**
 * The tokens of a piece of advice.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/advisor-tool#streaming
 */
function adviceIn({ text, encrypted_content }: Fields): readonly number[] {
  // What is sealed counts by what it is the base64 of, as in a request.
  const bytes = Buffer.byteLength(textOf(text)) + (textOf(encrypted_content).length * 3) / 4;
  return bytes === 0 ? [] : [Math.ceil(bytes / BYTES_PER_TOKEN)];
}

/**
 * What an advisor consumed who was heard before the usage told of it: each time what the model itself was sent,
 * and the advice. Undefined where the usage tells, or nobody was heard.
 */
function advised(usage: Usage | undefined, advice: readonly number[]): Usage['help'] {
  if (!usage || usage.help || advice.length === 0) return undefined;
  const { inputTokens, cacheReadTokens, surchargePercent } = usage;
  const written = usage.cacheWriteTokens + usage.cacheWrite1hTokens;
  const read = {
    ...NO_USAGE,
    inputTokens: inputTokens + cacheReadTokens + written,
    surchargePercent,
  };
  return advice.map((outputTokens) => ({ ...read, outputTokens }));
}
