import { type NeutralBlock, type NeutralRequest } from '../../../contract/neutral.js';
import { objectOf, placed, type Placed, placedOf, stringOf } from '../placed-blocks.js';

/** A source that an answer can cite. */
export interface CohereDocument {
  readonly id?: string;
  readonly data: Readonly<Record<string, string>>;
}

/**
 * The documents of the whole request that are to be cited: text documents that ask for citations,
 * and search results. https://docs.cohere.com/docs/rag-citations
 *
 * @throws GatewayError 400 when one lacks a field.
 */
export function citableDocuments(request: NeutralRequest): CohereDocument[] {
  return request.messages
    .flatMap(({ role, content }, index) =>
      role === 'user' ? placed(content, `messages[${index}].content`) : [],
    )
    .filter(isCitable)
    .map(documentOf);
}

/** Whether a block is sent as a document rather than in its place. */
export function isCitable({ block }: Placed): boolean {
  if (block.type === 'search_result') return true;
  const { citations, source } = block as { citations?: unknown; source?: unknown };
  const isAsked = (citations as { enabled?: unknown } | null | undefined)?.enabled === true;
  return block.type === 'document' && isAsked && (source as NeutralBlock | null)?.type === 'text';
}

/** @throws GatewayError 400 when it lacks a field. */
export function documentOf(place: Placed): CohereDocument {
  const { type, title, context, source } = place.block;
  if (type === 'search_result') {
    const texts = placedOf(place, 'content').map((part) => stringOf(part, 'text'));
    const named = typeof source === 'string' ? { id: source } : {};
    const titled = said({ title: stringOf(place, 'title') });
    return { ...named, data: { ...titled, text: texts.join('\n\n') } };
  }
  const text = stringOf(objectOf(place, 'source'), 'data');
  return { data: { ...said({ title, context }), text } };
}

function said(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(fields).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
  );
  return Object.fromEntries(texts);
}
