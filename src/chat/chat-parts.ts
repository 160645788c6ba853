import { type NeutralBlock } from '../contract/neutral.js';
import { withOrigin } from '../contract/origin.js';
import {
  invalid,
  objectIn,
  placed,
  type Placed,
  textIn,
  unsupported,
} from '../http/request-fields.js';
import { type Fields, isObject, isText } from '../json/values.js';

/**
 * The parts of a content as blocks: text, images, files and speech. Text without a character is left out,
 * because it says nothing and Anthropic refuses it.
 *
 * @throws GatewayError 400 naming the part that has no counterpart.
 */
export function contentBlocks(content: unknown, at: string): NeutralBlock[] {
  return partsOf(content, at).flatMap(partBlocks);
}

/** The parts of a content, which may be a plain string or null. */
export function partsOf(content: unknown, at: string): Placed[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [textPart(content, at)];
  if (!Array.isArray(content)) throw invalid(at, 'must be a string or a list of parts.');
  return content.map((part: unknown, index) =>
    typeof part === 'string' ? textPart(part, `${at}[${index}]`) : placed(part, `${at}[${index}]`),
  );
}

/** @throws GatewayError 400 for a part that only a user may send, or nobody. */
export function textBlocks(part: Placed): NeutralBlock[] {
  if (part.fields.type !== 'text') throw unknownPart(part);
  const text = textIn(part, 'text');
  return text === '' ? [] : [{ type: 'text', text, ...cacheMark(part.fields) }];
}

/** The refusal of a part that has no counterpart, or that does not say its type. */
function unknownPart(part: Placed): Error {
  const type = textIn(part, 'type');
  return unsupported(`${part.at}.type`, `'${type}' has no counterpart for this model here.`);
}

/** Where a provider shall end a cached prefix: Anthropic's own field, as other gateways take it. */
export function cacheMark({ cache_control }: Fields): { readonly cache_control?: unknown } {
  return isObject(cache_control) ? { cache_control } : {};
}

/** A plain string where a list would say no more. */
export function contentOf(blocks: readonly NeutralBlock[]): string | readonly NeutralBlock[] {
  const [only] = blocks;
  if (!only) return '';
  const isPlain = blocks.length === 1 && only.type === 'text' && !('cache_control' in only);
  return isPlain ? (only.text as string) : blocks;
}

function partBlocks(part: Placed): NeutralBlock[] {
  switch (part.fields.type) {
    case 'text':
      return textBlocks(part);
    case 'image_url':
      return [placedBlock(part, 'image_url', imageBlock(part))];
    case 'file':
      return [placedBlock(part, 'file', fileBlock(objectIn(part, 'file')))];
    case 'input_audio': {
      // Anthropic has no word for it; formats that hear know the block by this name.
      const { fields: input_audio } = objectIn(part, 'input_audio');
      return [withOrigin(part.at, { type: 'input_audio', input_audio })];
    }
    default:
      throw unknownPart(part);
  }
}

function placedBlock({ fields, at }: Placed, field: string, block: NeutralBlock): NeutralBlock {
  return withOrigin(`${at}.${field}`, { ...block, ...cacheMark(fields) });
}

function textPart(text: string, at: string): Placed {
  return { fields: { type: 'text', text }, at };
}

/** `detail` has no counterpart: how closely a picture is looked at is the provider's to choose. */
function imageBlock(part: Placed): NeutralBlock {
  const { image_url: given } = part.fields;
  const at = `${part.at}.image_url`;
  const url = typeof given === 'string' ? given : textIn(objectIn(part, 'image_url'), 'url');
  if (url.startsWith('data:')) {
    const inline = dataUrl(url, at);
    return documentBlock(inline) ?? pictureBlock(inline);
  }
  if (/^https?:\/\//i.test(url)) return { type: 'image', source: { type: 'url', url } };
  throw invalid(at, 'must be an https: or a data: URL.');
}

/** https://platform.openai.com/docs/guides/pdf-files */
function fileBlock(file: Placed): NeutralBlock {
  const { filename, file_id: id } = file.fields;
  const title = isText(filename) ? { title: filename } : {};
  if (file.fields.file_data === undefined && id !== undefined) {
    throw unsupported(`${file.at}.file_id`, 'is kept by its own provider; send `file_data`.');
  }
  const data = textIn(file, 'file_data');
  const at = `${file.at}.file_data`;
  if (/^https?:\/\//i.test(data)) {
    return { type: 'document', source: { type: 'url', url: data }, ...title };
  }
  const isPdf = typeof filename === 'string' && /\.pdf$/i.test(filename);
  const inline = data.startsWith('data:')
    ? dataUrl(data, at)
    : { mediaType: isPdf ? 'application/pdf' : '', base64: data };
  const document = documentBlock(inline);
  if (document) return { ...document, ...title };
  if (inline.mediaType.startsWith('image/')) return pictureBlock(inline);
  const type = inline.mediaType || 'a file without a media type';
  throw unsupported(at, `'${type}' has no counterpart for this model here.`);
}

interface Inline {
  readonly mediaType: string;
  readonly base64: string;
}

/** Which kinds of pictures there are is for the provider to know. */
function pictureBlock({ mediaType, base64 }: Inline): NeutralBlock {
  const media_type = mediaType === 'image/jpg' ? 'image/jpeg' : mediaType;
  return { type: 'image', source: { type: 'base64', media_type, data: base64 } };
}

function documentBlock({ mediaType, base64 }: Inline): NeutralBlock | undefined {
  if (mediaType === 'application/pdf') {
    return { type: 'document', source: { type: 'base64', media_type: mediaType, data: base64 } };
  }
  if (!mediaType.startsWith('text/') && mediaType !== 'application/json') return undefined;
  const data = Buffer.from(base64, 'base64').toString();
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data } };
}

function dataUrl(url: string, at: string): Inline {
  const comma = url.indexOf(',');
  const [mediaType = '', ...parameters] = url.slice('data:'.length, comma).split(';');
  if (comma < 0 || !parameters.includes('base64')) {
    throw invalid(at, 'must be a data: URL in base64.');
  }
  return { mediaType: mediaType.trim().toLowerCase(), base64: url.slice(comma + 1) };
}
