import { type Model } from '../../../contract/model.js';
import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText } from '../../../json/values.js';
import { namesClaude } from './bedrock-model.js';
import { documentNames } from './converse-document-names.js';
import { textPart } from '../openai-chat/openai-chat-parts.js';
import {
  objectOf,
  placed,
  type Placed,
  stringOf,
  unknownType,
  untranslatable,
} from '../placed-blocks.js';

/** Writes one block of what a user says or a tool answers. */
export type ContentWriter = (place: Placed) => object;

/**
 * A writer for one request, in which no two documents may have one name. Blocks that only Converse
 * has are taken in its own form, named by their `type`: `{type: 'video', video: {…}}`.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 *
 * @throws GatewayError 400 when a block lacks a field or has no counterpart.
 */
export function contentWriter({ name }: Model): ContentWriter {
  const nameOf = documentNames();
  // Others have no search results, and refuse citations: "This model doesn't support citations".
  const isClaude = namesClaude(name);
  return (place) => {
    const { type } = place.block;
    switch (type) {
      case 'text':
        return { text: textPart(place).text };
      case 'image':
        return { image: image(objectOf(place, 'source')) };
      case 'document':
        return { document: document(place, nameOf(place.block.title), isClaude) };
      case 'search_result':
        return isClaude ? { searchResult: searchResult(place) } : { text: searchText(place) };
      case 'input_audio':
        return { audio: audio(objectOf(place, 'input_audio')) };
      case 'video':
      case 'audio':
      case 'guardContent':
      case 'json':
        return { [type]: objectOf(place, type).block };
      default:
        throw unknownType(place);
    }
  };
}

function image(source: Placed): object {
  if (source.block.type === 'url') return { format: formatOf(source), source: s3Location(source) };
  if (source.block.type !== 'base64') throw unknownType(source);
  const format = /^image\/(png|jpe?g|gif|webp)$/.exec(stringOf(source, 'media_type'))?.[1];
  if (!format) {
    throw untranslatable(`${source.at}.media_type`, 'must be image/png, jpeg, gif or webp.');
  }
  const bytes = stringOf(source, 'data');
  return { format: format === 'jpg' ? 'jpeg' : format, source: { bytes } };
}

/** Of an image in S3, by its address' ending. */
function formatOf(source: Placed): string {
  const ending = /\.(png|gif|webp)$/i.exec(stringOf(source, 'url'))?.[1];
  return ending?.toLowerCase() ?? 'jpeg';
}

/** OpenAI's block, whose data is base64. https://platform.openai.com/docs/guides/audio */
function audio(input: Placed): object {
  return { format: stringOf(input, 'format'), source: { bytes: stringOf(input, 'data') } };
}

function document(place: Placed, name: string, isClaude: boolean): object {
  const { context, citations } = place.block;
  const isCited = isClaude && isOn(citations);
  return {
    ...documentSource(objectOf(place, 'source'), isCited),
    name,
    ...(isText(context) && { context }),
    ...(isCited && { citations: { enabled: true } }),
  };
}

/** Pieces are kept apart where they are cited from. */
function documentSource(source: Placed, isCited: boolean): object {
  switch (source.block.type) {
    case 'base64':
      return { format: documentFormat(source), source: { bytes: stringOf(source, 'data') } };
    case 'text':
      return { format: 'txt', source: textSource(stringOf(source, 'data')) };
    case 'content': {
      const texts = textsOf(source);
      return isCited
        ? { format: 'txt', source: { content: texts.map((text) => ({ text })) } }
        : { format: 'txt', source: textSource(texts.join('\n\n')) };
    }
    case 'url':
      return { format: 'pdf', source: s3Location(source) };
    default:
      throw unknownType(source);
  }
}

function textSource(text: string): object {
  return { bytes: Buffer.from(text).toString('base64') };
}

function documentFormat(source: Placed): string {
  const format = FORMATS.get(stringOf(source, 'media_type'));
  if (format) return format;
  throw untranslatable(
    `${source.at}.media_type`,
    `must be one of ${[...FORMATS.keys()].join(', ')}.`,
  );
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_DocumentBlock.html */
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['application/pdf', 'pdf'],
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/html', 'html'],
  ['text/csv', 'csv'],
  ['application/msword', 'doc'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
]);

/** Bedrock fetches from S3 only. */
function s3Location(source: Placed): object {
  const uri = stringOf(source, 'url');
  if (uri.startsWith('s3://')) return { s3Location: { uri } };
  throw untranslatable(`${source.at}.url`, 'Bedrock fetches s3:// addresses only; send the bytes.');
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_SearchResultBlock.html */
function searchResult(place: Placed): object {
  return {
    source: stringOf(place, 'source'),
    title: stringOf(place, 'title'),
    content: textsOf(place).map((text) => ({ text })),
    citations: { enabled: isOn(place.block.citations) },
  };
}

function searchText(place: Placed): string {
  const about = [stringOf(place, 'title'), stringOf(place, 'source')];
  return [...about, ...textsOf(place)].filter(isText).join('\n');
}

function textsOf({ block, at }: Placed): string[] {
  const { content } = block;
  if (typeof content !== 'string' && !Array.isArray(content)) {
    throw untranslatable(`${at}.content`, 'must be a string or a list.');
  }
  const pieces = placed(content as string | readonly NeutralBlock[], `${at}.content`);
  return pieces.map((piece) => textPart(piece).text);
}

function isOn(citations: unknown): boolean {
  return (citations as { enabled?: unknown } | null | undefined)?.enabled === true;
}
