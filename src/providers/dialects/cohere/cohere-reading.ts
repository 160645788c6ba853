import { listOf } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { type Stop } from '../neutral-answer.js';

/** What a message or a stream's delta may hold; nothing of it is certain. */
export interface CohereCall {
  readonly id?: string | null;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** A citation on the wire. https://docs.cohere.com/reference/chat */
export interface CohereCitation {
  readonly text?: unknown;
  readonly start?: unknown;
  readonly end?: unknown;
  readonly sources?: unknown;
  readonly content_index?: unknown;
}

interface Source {
  readonly id?: unknown;
  readonly document?: { readonly title?: unknown } | null;
  readonly tool_output?: { readonly title?: unknown } | null;
}

/**
 * A citation once for each source, in the form of those of search results. `cited_text` is the
 * passage of the answer, because Cohere does not say which part of a source it rests on.
 * https://docs.cohere.com/docs/rag-citations
 */
export function neutralCitations({ text, sources }: CohereCitation): object[] {
  return (listOf(sources) as (Source | null)[]).map((source, index) => {
    const title = source?.document?.title ?? source?.tool_output?.title;
    return {
      type: 'search_result_location',
      cited_text: typeof text === 'string' ? text : '',
      source: typeof source?.id === 'string' ? source.id : '',
      title: typeof title === 'string' ? title : null,
      search_result_index: index,
      start_block_index: 0,
      end_block_index: 0,
    };
  });
}

/**
 * Why the answer ended, in the four words that the contract allows; null for anything else. Cohere
 * does not say which stop sequence it met, so it is named only where there is one.
 */
export function cohereStop(finish: unknown, calls: number, call: CallContext<'messages'>): Stop {
  const reason = finish === 'COMPLETE' && calls > 0 ? 'tool_use' : STOP_REASONS.get(finish);
  const sequences = call.request.stop_sequences ?? [];
  const [only] = sequences;
  const isKnown = reason === 'stop_sequence' && sequences.length === 1;
  return { stop_reason: reason ?? null, stop_sequence: isKnown ? (only ?? null) : null };
}

/** Whether Cohere failed in the middle of its answer, or gave it no more time. */
export function brokeOff(finish: unknown): boolean {
  return finish === 'ERROR' || finish === 'TIMEOUT';
}

/** https://docs.cohere.com/reference/chat */
const STOP_REASONS: ReadonlyMap<unknown, string> = new Map([
  ['COMPLETE', 'end_turn'],
  ['STOP_SEQUENCE', 'stop_sequence'],
  ['MAX_TOKENS', 'max_tokens'],
  ['TOOL_CALL', 'tool_use'],
]);
