import { isObject, isText, listOf, membersOf, textOf } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { type InputItem } from './responses-input.js';

/**
 * A conversation in which each picture is looked at as closely as the chat that it comes from says: the neutral
 * shape has no word for it, and OpenAI is paid by it.
 * https://developers.openai.com/api/docs/guides/images-vision#specify-image-input-detail-level
 */
export function lookedAt(
  items: readonly InputItem[],
  { chat }: Pick<CallContext<'messages'>, 'chat'>,
): readonly InputItem[] {
  const details = detailsIn(chat?.messages);
  if (details.size === 0) return items;
  const closely = (parts: unknown) =>
    Array.isArray(parts) ? parts.map((part) => withDetail(part, details)) : parts;
  return items.map((item) => ({
    ...item,
    ...('content' in item && { content: closely(item.content) }),
    ...('output' in item && { output: closely(item.output) }),
  }));
}

function withDetail(part: unknown, details: ReadonlyMap<string, string>): unknown {
  const { type, image_url: url } = membersOf(part);
  const detail = type === 'input_image' ? details.get(keyOf(url)) : undefined;
  return detail === undefined ? part : { ...membersOf(part), detail };
}

/** By the picture, of which the same may be there several times. */
function detailsIn(messages: unknown): ReadonlyMap<string, string> {
  const parts = listOf(messages).flatMap((message) => listOf(membersOf(message).content));
  const details = parts.flatMap((part): [string, string][] => {
    const { image_url: image } = membersOf(part);
    if (!isObject(image) || !isText(image.detail)) return [];
    return [[keyOf(image.url), image.detail]];
  });
  return new Map(details);
}

/** What the translation leaves as it is: the data of a `data:` URL, or the whole address. */
function keyOf(url: unknown): string {
  const text = textOf(url);
  return text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
}
