import { type NeutralBlock, type NeutralRequest } from '../../contract/neutral.js';
import { isObject } from '../../json/values.js';
import { withoutBlanks } from './anthropic-history.js';

/**
 * A request without what the user, the system and tools do not say: other makers' models take blank texts, and
 * Claude refuses them. A user who says nothing at all, or at the end, is left as he is: an answer would be
 * continued.
 */
export function saidToClaude(request: NeutralRequest): NeutralRequest {
  const messages = request.messages.flatMap((turn, at) => {
    const said = turn.role === 'assistant' ? turn.content : saidIn(turn.content);
    const isLast = at === request.messages.length - 1;
    const content = said ?? (isLast ? turn.content : undefined);
    return content === undefined ? [] : [content === turn.content ? turn : { ...turn, content }];
  });
  const isHeard = messages.some(({ role }) => role === 'user');
  const { system, ...rest } = request;
  const told = saidIn(system);
  return {
    ...rest,
    ...(told !== undefined && { system: told }),
    messages: isHeard ? messages : request.messages,
  };
}

/** A content without blank texts, itself where it has none; undefined where nothing is left. */
function saidIn(content: Content | undefined): Content | undefined {
  if (typeof content === 'string') return content.trim() === '' ? undefined : content;
  if (content === undefined) return undefined;
  const said = withoutBlanks(content.map(answered));
  if (said.length === 0 && content.length > 0) return undefined;
  const isSame = said.length === content.length && said.every((block, at) => block === content[at]);
  return isSame ? content : said;
}

/** A result of a tool without blank texts; any other block itself. What is in it nobody has checked. */
function answered(block: NeutralBlock): NeutralBlock {
  if (!isObject(block) || block.type !== 'tool_result') return block;
  const { content: given, ...result } = block;
  if (typeof given !== 'string' && !Array.isArray(given)) return block;
  const content = saidIn(given as Content);
  if (content === given) return block;
  return content === undefined ? result : { ...result, content };
}

type Content = string | readonly NeutralBlock[];
