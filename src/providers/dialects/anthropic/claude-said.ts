import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { isObject, isSameList, isText, listOf, textOf } from '../../../json/values.js';
import { withoutBlanks } from './anthropic-history.js';

/**
 * A request of which Claude takes what is said, as other makers' models take more: without blank texts of the
 * user, the system and tools, with results first and a text alone in those that failed, and without a space
 * behind the beginning of an answer. A user's turn that says nothing stays where it is the last one or the user
 * says nothing at all: Claude would continue an answer.
 */
export function saidToClaude(request: NeutralRequest): NeutralRequest {
  const messages = request.messages.flatMap((turn, at) => {
    const isLast = at === request.messages.length - 1;
    const answer = isLast ? begun(turn.content) : turn.content;
    const said = turn.role === 'assistant' ? answer : saidIn(turn.content);
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

/**
 * The beginning of an answer without the space at its end, itself where it has none or is nothing else.
 * https://platform.claude.com/docs/en/build-with-claude/prefill-claudes-response
 */
function begun(content: Content): Content {
  if (typeof content === 'string') return content.trimEnd() || content;
  const last = content.at(-1);
  if (last?.type !== 'text') return content;
  const text = textOf(last.text).trimEnd();
  return text === '' || text === last.text ? content : [...content.slice(0, -1), { ...last, text }];
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
