import { type NeutralBlock } from '../../../contract/neutral.js';
import { listOf } from '../../../json/values.js';

/**
 * The sources of an answer as Anthropic's citations: those that Google's tools found, or where the
 * model recited, each address once. Sources without an address have no counterpart, and so have the
 * parts of the text that they are for. https://ai.google.dev/gemini-api/docs/google-search
 */
export function citationsIn({ groundingMetadata, citationMetadata }: Grounded): NeutralBlock[] {
  const grounding = groundingMetadata as GroundingMetadata | null | undefined;
  const recited = citationMetadata as CitationMetadata | null | undefined;
  const chunks = listOf(grounding?.groundingChunks) as (GroundingChunk | null)[];
  const sources = [
    ...chunks.map((chunk) => chunk?.web ?? chunk?.maps ?? chunk?.retrievedContext),
    // The Gemini API and Vertex call the same list by two names.
    ...(listOf(recited?.citationSources ?? recited?.citations) as (Source | null)[]),
  ];
  const byAddress = new Map<string, NeutralBlock>();
  for (const { uri, title, text } of sources.filter((source) => !!source)) {
    if (typeof uri !== 'string' || uri === '' || byAddress.has(uri)) continue;
    byAddress.set(uri, {
      type: 'web_search_result_location',
      url: uri,
      title: typeof title === 'string' ? title : null,
      cited_text: typeof text === 'string' ? text : '',
      encrypted_index: '',
    });
  }
  return [...byAddress.values()];
}

/**
 * How many searches Google charges for: each that differs from the others or, up to Gemini 2.5, one for all of
 * an answer. https://ai.google.dev/gemini-api/docs/google-search
 *
 * @param model its name at Google.
 */
export function searchesIn({ groundingMetadata }: Grounded, model: string): number {
  const grounding = groundingMetadata as GroundingMetadata | null | undefined;
  const queries = new Set(listOf(grounding?.webSearchQueries).filter((query) => query !== ''));
  return /^gemini-[12]\b/.test(model) ? Math.min(queries.size, 1) : queries.size;
}

/** The members of a candidate that tell where its words are from. */
export interface Grounded {
  readonly groundingMetadata?: unknown;
  readonly citationMetadata?: unknown;
}

interface GroundingMetadata {
  readonly groundingChunks?: unknown;
  readonly webSearchQueries?: unknown;
}

interface CitationMetadata {
  readonly citationSources?: unknown;
  readonly citations?: unknown;
}

interface GroundingChunk {
  readonly web?: Source | null;
  readonly maps?: Source | null;
  readonly retrievedContext?: Source | null;
}

interface Source {
  readonly uri?: unknown;
  readonly title?: unknown;
  readonly text?: unknown;
}
