import { type NeutralBlock, type NeutralRequest } from '../../contract/neutral.js';
import { isObject, isSameList, isText, listOf } from '../../json/values.js';
import { withoutBlanks } from './anthropic-history.js';

/**
 * A request of which Claude takes what the user, the system and tools say, as other makers' models take more:
 * without blank texts, with results first and a text alone in those that failed. A user's turn that says
 * nothing stays where it is the last one or the user says nothing at all: Claude would continue an answer.
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
  const said = withoutBlanks(resultsFirst(content.map(answered)));
  if (said.length === 0 && content.length > 0) return undefined;
  return isSameList(said, content) ? content : said;
}

/**
 * Results before what the user says, as Claude wants them. Of one that failed it wants a text and no more:
 * "content cannot be empty if `is_error` is true", "all content must be type `text` if `is_error` is true".
 * What else it shows is shown by the user.
 */
function resultsFirst(blocks: readonly NeutralBlock[]): readonly NeutralBlock[] {
  const results = blocks.filter(isResult);
  const others = blocks.filter((block) => !isResult(block));
  const shown = results.flatMap((block) => (block.is_error === true ? shownIn(block) : []));
  return [...results.map(failed), ...shown, ...others];
}

function failed(block: NeutralBlock): NeutralBlock {
  if (block.is_error !== true || isText(block.content)) return block;
  const parts = listOf(block.content);
  const told = parts.filter((part) => !isShown(part));
  if (told.length > 0 && told.length === parts.length) return block;
  return { ...block, content: told.length > 0 ? told : '(no output)' };
}

function shownIn({ content }: NeutralBlock): readonly NeutralBlock[] {
  return listOf(content).filter(isShown);
}

/** A result of a tool without blank texts; any other block itself. */
function answered(block: NeutralBlock): NeutralBlock {
  if (!isResult(block)) return block;
  const { content: given, ...result } = block;
  if (typeof given !== 'string' && !Array.isArray(given)) return block;
  const content = saidIn(given as Content);
  if (content === given) return block;
  return content === undefined ? result : { ...result, content };
}

/** What is in a result nobody has checked. */
function isShown(block: unknown): block is NeutralBlock {
  return isObject(block) && (block.type === 'image' || block.type === 'document');
}

function isResult(block: unknown): block is NeutralBlock {
  return isObject(block) && block.type === 'tool_result';
}

type Content = string | readonly NeutralBlock[];
