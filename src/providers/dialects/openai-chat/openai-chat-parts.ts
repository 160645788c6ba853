import { type NeutralBlock } from '../../../contract/neutral.js';
import { isText, textOf } from '../../../json/values.js';
import {
  objectOf,
  placed,
  type Placed,
  placedOf,
  stringOf,
  unknownType,
  untranslatable,
} from '../placed-blocks.js';

/** Text among the parts of a message. */
export type TextPart = Readonly<{ type: 'text'; text: string }>;
/** A part of a message. https://platform.openai.com/docs/api-reference/chat/create */
export type ChatPart =
  | TextPart
  | Readonly<{ type: 'image_url'; image_url: { readonly url: string } }>
  | Readonly<{ type: 'file'; file: { readonly filename: string; readonly file_data: string } }>;

/** A plain string where it can be one: not every compatible server takes a list of parts. */
export function contentOf(parts: readonly ChatPart[]): string | readonly ChatPart[] {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? only.text : parts;
}

/**
 * A block of what a user says.
 *
 * @throws GatewayError 400 when it lacks a field or has no counterpart.
 */
export function contentParts(place: Placed): ChatPart[] {
  switch (place.block.type) {
    case 'text':
      return [textPart(place)];
    case 'image':
      return [{ type: 'image_url', image_url: { url: imageUrl(objectOf(place, 'source')) } }];
    case 'document':
      return documentParts(place.block, objectOf(place, 'source'));
    case 'search_result': {
      const about = [stringOf(place, 'title'), place.block.source];
      return [...said(about, '\n'), ...placedOf(place, 'content').flatMap(contentParts)];
    }
    default:
      throw unknownType(place);
  }
}

/** @throws GatewayError 400 when the block is no text. */
export function textPart(place: Placed): TextPart {
  if (place.block.type !== 'text') throw unknownType(place);
  return { type: 'text', text: stringOf(place, 'text') };
}

/** A tool message holds text only, so images and files are handed back apart from it. */
export function toolResult(place: Placed): { text: string; attachments: ChatPart[] } {
  const content = (place.block.content ?? []) as string | readonly NeutralBlock[];
  const { text, attachments } = apart(placed(content, `${place.at}.content`).flatMap(resultParts));
  return { text: place.block.is_error === true ? failureText(text) : text, attachments };
}

/** The text of a result, and its other parts. */
export function apart<P extends { readonly type?: unknown; readonly text?: unknown }>(
  parts: readonly P[],
): { readonly text: string; readonly attachments: P[] } {
  return {
    text: parts.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : [])).join('\n'),
    attachments: parts.filter((part) => part.type !== 'text'),
  };
}

/** There is no field for a failure; this way the model sees it, and the text can be taken out. */
export function failureText(text: string): string {
  return JSON.stringify({ error: text });
}

/** A tool search answers with the names of tools, which are all on offer already. */
function resultParts(place: Placed): ChatPart[] {
  return place.block.type === 'tool_reference'
    ? [{ type: 'text', text: stringOf(place, 'tool_name') }]
    : contentParts(place);
}

function imageUrl(source: Placed): string {
  switch (source.block.type) {
    case 'base64':
      return dataUrl(source);
    case 'url':
      return stringOf(source, 'url');
    default:
      throw unknownType(source);
  }
}

function documentParts({ title, context }: NeutralBlock, source: Placed): ChatPart[] {
  const name = typeof title === 'string' ? title : '';
  const about = typeof context === 'string' ? context : '';
  switch (source.block.type) {
    case 'base64': {
      if (source.block.media_type !== 'application/pdf') {
        throw untranslatable(`${source.at}.media_type`, 'must be application/pdf.');
      }
      const filename = `${name.replace(/\.pdf$/i, '') || 'document'}.pdf`;
      const file: ChatPart = { type: 'file', file: { filename, file_data: dataUrl(source) } };
      return about ? [{ type: 'text', text: about }, file] : [file];
    }
    case 'text':
      return said([name, about, stringOf(source, 'data')], '\n\n');
    case 'content':
      return [...said([name, about], '\n\n'), ...placedOf(source, 'content').flatMap(contentParts)];
    default:
      throw unknownType(source);
  }
}

/** One part of those texts that say something. */
function said(texts: readonly unknown[], between: string): TextPart[] {
  const filled = texts.filter(isText);
  return filled.length === 0 ? [] : [{ type: 'text', text: filled.join(between) }];
}

function dataUrl(source: Placed): string {
  return `data:${stringOf(source, 'media_type')};base64,${stringOf(source, 'data')}`;
}
