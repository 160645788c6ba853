import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText } from '../../../json/values.js';
import {
  objectOf,
  type Placed,
  placedOf,
  stringOf,
  unknownType,
  untranslatable,
} from '../placed-blocks.js';

/** A piece of a content. https://ai.google.dev/api/caching#Part */
export interface GeminiPart {
  readonly text?: string;
  readonly thought?: true;
  readonly thoughtSignature?: string;
  readonly inlineData?: { readonly mimeType: string; readonly data: string };
  readonly fileData?: { readonly mimeType: string; readonly fileUri: string };
  readonly functionCall?: object;
  readonly functionResponse?: object;
  readonly executableCode?: object;
  readonly codeExecutionResult?: object;
  readonly toolCall?: object;
  readonly toolResponse?: object;
}

/**
 * A block of what a user says or a tool gives back; an empty text, which Gemini refuses, is nothing.
 *
 * @throws GatewayError 400 when it lacks a field or has no counterpart.
 */
export function contentParts(place: Placed): GeminiPart[] {
  switch (place.block.type) {
    case 'text':
      return textParts(place);
    case 'image':
      return [mediaPart(objectOf(place, 'source'), 'image/jpeg')];
    case 'document':
      return documentParts(place, objectOf(place, 'source'));
    case 'search_result':
      return searchResultParts(place);
    case 'input_audio':
      return [speechPart(objectOf(place, 'input_audio'))];
    default:
      throw unknownType(place);
  }
}

/** @throws GatewayError 400 when the block is no text. */
export function textParts(place: Placed): GeminiPart[] {
  if (place.block.type !== 'text') throw unknownType(place);
  return textOf(stringOf(place, 'text'));
}

function textOf(text: string): GeminiPart[] {
  return text === '' ? [] : [{ text }];
}

/**
 * Bytes in the request, or an address that Google fetches itself; it wants to know of what type.
 * https://ai.google.dev/gemini-api/docs/file-input-methods
 */
export function mediaPart(source: Placed, usual: string): GeminiPart {
  switch (source.block.type) {
    case 'base64': {
      const data = stringOf(source, 'data');
      return { inlineData: { mimeType: stringOf(source, 'media_type'), data } };
    }
    case 'url': {
      const fileUri = stringOf(source, 'url');
      if (!/^(?:https|gs):\/\//i.test(fileUri)) {
        throw untranslatable(`${source.at}.url`, 'must be an https address.');
      }
      return { fileData: { mimeType: typeOfAddress(fileUri) ?? usual, fileUri } };
    }
    default:
      throw unknownType(source);
  }
}

/** OpenAI's block, whose data is base64. https://platform.openai.com/docs/guides/audio */
function speechPart(input: Placed): GeminiPart {
  const mimeType = `audio/${stringOf(input, 'format')}`;
  return { inlineData: { mimeType, data: stringOf(input, 'data') } };
}

/** There is no field for a title or a context; before the document they say what it is. */
function documentParts({ block }: Placed, source: Placed): GeminiPart[] {
  const about = [block.title, block.context].filter(isText);
  const head = about.length > 0 ? [{ text: about.join('\n\n') }] : [];
  switch (source.block.type) {
    case 'text':
      return textOf([...about, stringOf(source, 'data')].filter(isText).join('\n\n'));
    case 'content':
      return [...head, ...placedOf(source, 'content').flatMap(contentParts)];
    default:
      return [...head, mediaPart(source, 'application/pdf')];
  }
}

function searchResultParts(place: Placed): GeminiPart[] {
  const about = [stringOf(place, 'title'), place.block.source].filter(isText);
  const texts = placedOf(place, 'content').flatMap(contentParts);
  return [...(about.length > 0 ? [{ text: about.join('\n') }] : []), ...texts];
}

/** The block that carries bytes, or the address of a file, from the model to the caller. */
export function mediaBlock(mimeType: string, source: object): NeutralBlock {
  return { type: mimeType.startsWith('image/') ? 'image' : 'document', source };
}

function typeOfAddress(address: string): string | undefined {
  const [, extension = ''] = /\.(\w+)(?:[?#]|$)/.exec(address.replace(/^[^?#]*\//, '')) ?? [];
  return TYPES.get(extension.toLowerCase());
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['heic', 'image/heic'],
  ['heif', 'image/heif'],
  ['pdf', 'application/pdf'],
  ['txt', 'text/plain'],
  ['md', 'text/markdown'],
  ['csv', 'text/csv'],
  ['html', 'text/html'],
]);
