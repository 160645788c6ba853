import { type NeutralBlock } from '../../../contract/neutral.js';
import { listOf, textOf } from '../../../json/values.js';
import { type CallContext } from '../../provider.js';
import { filteredStop, type Stop } from '../neutral-answer.js';

/** A Responses answer; nothing of it is certain. */
export interface ResponseBody {
  readonly status?: unknown;
  readonly error?: unknown;
  readonly incomplete_details?: { readonly reason?: unknown } | null;
  readonly output?: unknown;
  readonly usage?: unknown;
  readonly tool_usage?: unknown;
  readonly service_tier?: unknown;
}

/** An item of its `output`. */
export interface OutputItem {
  readonly type?: unknown;
  readonly content?: unknown;
  readonly summary?: unknown;
  readonly encrypted_content?: unknown;
  readonly call_id?: string | null;
  readonly name?: unknown;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly result?: unknown;
  readonly output_format?: unknown;
  readonly action?: { readonly type?: unknown } | null;
  readonly container_id?: unknown;
  readonly environment?: { readonly container_id?: unknown } | null;
}

/** A part of a message item or of a reasoning item. */
export interface OutputPart {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly refusal?: unknown;
  readonly annotations?: unknown;
}

interface Annotation {
  readonly type?: unknown;
  readonly url?: unknown;
  readonly title?: unknown;
  readonly start_index?: unknown;
  readonly end_index?: unknown;
}

/** Where OpenAI shows a summary in parts, they are paragraphs of one thought. */
export const BETWEEN_PARAGRAPHS = '\n\n';

/** The items of an answer by their place in it; null is one that a server left empty. */
export function itemsOf({ output }: ResponseBody): readonly (OutputItem | null)[] {
  return listOf(output) as (OutputItem | null)[];
}

/** What a reasoning item shows: the summary, or the thinking itself from models that give it. */
export function thinkingOf({ content, summary }: OutputItem): string {
  const texts = (parts: unknown) =>
    (listOf(parts) as (OutputPart | null)[]).map((part) => textOf(part?.text)).filter(Boolean);
  const shown = texts(summary);
  return (shown.length > 0 ? shown : texts(content)).join(BETWEEN_PARAGRAPHS);
}

/** What a part of a message says; a refusal is said in words too. */
export function saidIn(part: OutputPart | null): string {
  return textOf(part?.type === 'refusal' ? part.refusal : part?.text);
}

/**
 * What marks a refusal's text for who asked by a chat, which has a field for it that SDKs look at before they
 * read an answer by its schema. https://platform.openai.com/docs/guides/structured-outputs#refusals
 */
export function refusalMark(
  isRefusal: boolean,
  { chat }: Pick<CallContext<'messages'>, 'chat'>,
): { readonly is_refusal?: true } {
  return isRefusal && chat ? { is_refusal: true } : {};
}

/**
 * An annotation as a citation; those of files have no counterpart and are left out.
 * https://platform.openai.com/docs/guides/tools-web-search#output-and-citations
 *
 * @param text what the answer says, of which the annotation names a piece.
 */
export function citationOf(wire: unknown, text: string): object | undefined {
  const { type, url, title, start_index: start, end_index: end } = (wire ?? {}) as Annotation;
  if (type !== 'url_citation' || typeof url !== 'string') return undefined;
  const isPiece = typeof start === 'number' && typeof end === 'number';
  return {
    type: 'web_search_result_location',
    cited_text: isPiece ? text.slice(start, end) : '',
    url,
    title: typeof title === 'string' ? title : null,
    encrypted_index: '',
  };
}

/** A picture that OpenAI's own tool drew; undefined when there is none. */
export function pictureOf({ result, output_format: format }: OutputItem): NeutralBlock | undefined {
  if (typeof result !== 'string' || result === '') return undefined;
  const media_type = `image/${typeof format === 'string' ? format : 'png'}`;
  return { type: 'image', source: { type: 'base64', media_type, data: result } };
}

/**
 * Whether it is an answer to its end. One that is `queued`, `in_progress` or `cancelled` may look like
 * an empty one. https://platform.openai.com/docs/api-reference/responses/object#responses-object-status
 */
export function isFinished({ status }: ResponseBody): boolean {
  return (status ?? 'completed') === 'completed' || status === 'incomplete';
}

/** Why the answer ended, in the four words that the contract allows; null for anything else. */
export function responsesStop(body: ResponseBody, calls: number): Stop {
  if (body.incomplete_details?.reason === 'content_filter') return filteredStop();
  return { stop_reason: stopReason(body, calls), stop_sequence: null };
}

function stopReason(
  { status = 'completed', incomplete_details: why }: ResponseBody,
  calls: number,
): string | null {
  if (status === 'completed') return calls > 0 ? 'tool_use' : 'end_turn';
  return why?.reason === 'max_output_tokens' ? 'max_tokens' : null;
}
