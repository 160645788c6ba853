import { type NeutralBlock } from '../../../contract/neutral.js';
import { listOf } from '../../../json/values.js';

/** Where in what was sent, or on the web, a statement comes from. */
export interface ConverseCitation {
  readonly title?: unknown;
  readonly source?: unknown;
  readonly sourceContent?: unknown;
  readonly location?: Readonly<Record<string, Partial<Record<string, unknown>> | undefined>> | null;
}

/**
 * A citation as Anthropic has it; none when it points nowhere that is known.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_CitationLocation.html,
 * https://docs.anthropic.com/en/docs/build-with-claude/citations
 */
export function neutralCitation(citation: ConverseCitation | null): NeutralBlock[] {
  const { title, source, location } = citation ?? {};
  const { documentChar, documentPage, documentChunk, searchResultLocation, web } = location ?? {};
  const cited_text = citedText(citation);
  const inDocument = (place: Partial<Record<string, unknown>>): object => ({
    cited_text,
    document_index: place.documentIndex ?? 0,
    document_title: title ?? null,
  });
  if (documentChar) {
    const { start: start_char_index, end: end_char_index } = documentChar;
    return [
      { type: 'char_location', ...inDocument(documentChar), start_char_index, end_char_index },
    ];
  }
  if (documentPage) {
    const { start: start_page_number, end: end_page_number } = documentPage;
    return [
      { type: 'page_location', ...inDocument(documentPage), start_page_number, end_page_number },
    ];
  }
  if (documentChunk) {
    const { start: start_block_index, end: end_block_index } = documentChunk;
    const place = { start_block_index, end_block_index };
    return [{ type: 'content_block_location', ...inDocument(documentChunk), ...place }];
  }
  if (searchResultLocation) {
    const { searchResultIndex, start, end } = searchResultLocation;
    const place = { search_result_index: searchResultIndex ?? 0, start_block_index: start };
    const named = { source: source ?? '', title: title ?? null, end_block_index: end };
    return [{ type: 'search_result_location', cited_text, ...place, ...named }];
  }
  if (!web) return [];
  const page = { url: web.url ?? '', title: title ?? web.domain ?? null };
  return [{ type: 'web_search_result_location', cited_text, ...page, encrypted_index: '' }];
}

function citedText(citation: ConverseCitation | null): string {
  const pieces = listOf(citation?.sourceContent) as ({ text?: unknown } | null)[];
  return pieces.map((piece) => (typeof piece?.text === 'string' ? piece.text : '')).join('');
}
