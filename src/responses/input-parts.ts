import { type NeutralBlock } from '../contract/neutral.js';
import { withOrigin } from '../contract/origin.js';
import { invalid, objects, type Placed, textIn, unsupported } from '../http/request-fields.js';
import { type Fields, isObject, isText } from '../json/values.js';
import { unknownType } from './unknown-type.js';

/**
 * The blocks of a message's or a result's content, which may be a plain string. A text without a
 * character says nothing and is left out, because not every provider takes it.
 *
 * @throws GatewayError 400 naming the part that lacks a field or has no counterpart.
 */
export function contentBlocks(content: unknown, at: string): NeutralBlock[] {
  if (typeof content === 'string') return textBlock(content);
  return objects(content, at).flatMap((part) =>
    blocksOf(part).map((block) => {
      const marked = { ...block, ...cacheMark(part.fields) };
      return block.type === 'text' ? marked : withOrigin(placeOf(part), marked);
    }),
  );
}

/** The same for system messages, which are text only. */
export function textBlocks(content: unknown, at: string): NeutralBlock[] {
  const blocks = contentBlocks(content, at);
  if (blocks.every(({ type }) => type === 'text')) return blocks;
  throw unsupported(at, 'must be text for this role.');
}

function textBlock(text: string): NeutralBlock[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** `detail`, annotations and log probabilities have no counterpart. */
function blocksOf(place: Placed): NeutralBlock[] {
  switch (place.fields.type) {
    case 'input_text':
    case 'output_text':
    case 'text':
    case 'summary_text':
      return textBlock(textIn(place, 'text'));
    case 'refusal':
      return textBlock(textIn(place, 'refusal'));
    case 'input_image':
      refuseFileId(place);
      return [{ type: 'image', source: imageSource(textIn(place, 'image_url'), place.at) }];
    case 'input_file':
      refuseFileId(place);
      return [fileBlock(place)];
    default:
      throw unknownType(place);
  }
}

/** The field that holds a picture or a file. */
function placeOf({ fields, at }: Placed): string {
  const field = ['image_url', 'file_url', 'file_data'].find((name) => isText(fields[name]));
  return field === undefined ? at : `${at}.${field}`;
}

function refuseFileId({ fields, at }: Placed): void {
  if ((fields.file_id ?? null) === null) return;
  throw unsupported(`${at}.file_id`, 'files are kept by their provider only; send the data.');
}

function imageSource(url: string, at: string): object {
  const data = dataUrl(url);
  return data ? inlineSource(data) : addressed(url, `${at}.image_url`);
}

/** OpenAI takes JPEG by a short name, too, which Claude refuses. */
function inlineSource({ mediaType, base64 }: DataUrl): object {
  const media_type = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  return { type: 'base64', media_type, data: base64 };
}

function addressed(url: string, at: string): object {
  if (/^https:\/\//i.test(url)) return { type: 'url', url };
  throw invalid(at, 'must be an https: address or a data: URL in base64.');
}

function fileBlock(place: Placed): NeutralBlock {
  const { file_url: url, filename } = place.fields;
  const title = isText(filename) ? { title: filename } : {};
  if (typeof url === 'string') {
    return { type: 'document', source: addressed(url, `${place.at}.file_url`), ...title };
  }
  const data = dataUrl(textIn(place, 'file_data'));
  if (!data) throw invalid(`${place.at}.file_data`, 'must be a data: URL in base64.');
  // Vercel's AI SDK sends what a tool shows so, pictures too.
  if (data.mediaType.startsWith('image/')) return { type: 'image', source: inlineSource(data) };
  return { type: 'document', source: documentSource(data, place.at), ...title };
}

function documentSource(inline: DataUrl, at: string): object {
  const { mediaType, base64 } = inline;
  if (mediaType === 'application/pdf') return inlineSource(inline);
  if (mediaType.startsWith('text/') || mediaType === 'application/json') {
    const data = Buffer.from(base64, 'base64').toString();
    return { type: 'text', media_type: 'text/plain', data };
  }
  throw unsupported(`${at}.file_data`, `'${mediaType}' is neither a PDF nor text.`);
}

interface DataUrl {
  readonly mediaType: string;
  readonly base64: string;
}

function dataUrl(url: string): DataUrl | undefined {
  const comma = url.indexOf(',');
  const head = /^data:([\w.+-]+\/[\w.+-]+)(?:;[^,]*)?;base64$/i.exec(url.slice(0, comma));
  const mediaType = head?.[1]?.toLowerCase();
  return mediaType === undefined ? undefined : { mediaType, base64: url.slice(comma + 1) };
}

/** OpenAI's own mark, and Anthropic's where a caller knows that it gets there. */
function cacheMark({ prompt_cache_breakpoint: breakpoint, cache_control }: Fields): object {
  if (isObject(cache_control)) return { cache_control };
  if (!isObject(breakpoint)) return {};
  const isLong = breakpoint.ttl !== undefined;
  return { cache_control: { type: 'ephemeral', ...(isLong && { ttl: '1h' }) } };
}
