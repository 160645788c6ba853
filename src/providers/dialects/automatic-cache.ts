import { type Fields, isObject, isText, listOf, membersOf } from '../../json/values.js';

/** Anthropic takes no more marks in one request. */
const MOST_MARKS = 4;

/**
 * A Messages request whose own `cache_control`, by which Anthropic caches all of it, is the mark of its
 * last block instead: clouds refuse it with "cache_control: Extra inputs are not permitted". Without it
 * where the last block takes no mark or has one, or there are as many as there may be. The same object
 * where it has none.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching#automatic-caching
 */
export function withoutAutomaticCache(body: Fields): Fields {
  const { cache_control: mark } = body;
  if (mark === undefined) return body;
  const rest = { ...body, cache_control: undefined };
  const messages = listOf(body.messages);
  const last = messages.at(-1);
  if (!isObject(mark) || !isObject(last) || marksIn(body) >= MOST_MARKS) return rest;
  const blocks = isText(last.content) ? [{ type: 'text', text: last.content }] : last.content;
  const block = listOf(blocks).at(-1);
  if (!isObject(block) || !takesMark(block)) return rest;
  const content = [...listOf(blocks).slice(0, -1), { ...block, cache_control: mark }];
  return { ...rest, messages: [...messages.slice(0, -1), { ...last, content }] };
}

/**
 * How a request wants to be cached as a whole: as it says, or as the last mark in it does; undefined where it
 * has none. For servers that have nothing but the automatic cache, or no marks in the results of tools.
 */
export function cacheAsked({ cache_control: mark, ...body }: Fields): Fields | undefined {
  if (isObject(mark)) return mark;
  const last = placesIn(body).findLast((place) => isObject(place) && isObject(place.cache_control));
  return isObject(last) ? membersOf(last.cache_control) : undefined;
}

function takesMark({ type, text, cache_control }: Fields): boolean {
  if (cache_control !== undefined && cache_control !== null) return false;
  if (type === 'text') return isText(text) && text.trim() !== '';
  return type !== 'thinking' && type !== 'redacted_thinking';
}

function marksIn(body: Fields): number {
  return placesIn(body).filter((place) => isObject(place) && isObject(place.cache_control)).length;
}

/** Where a mark may stand. */
function placesIn({ tools, system, messages }: Fields): readonly unknown[] {
  const turns = listOf(messages).flatMap((turn) => listOf(membersOf(turn).content));
  return [...listOf(tools), ...listOf(system), ...turns];
}
