import { isTextType } from '../contract/attachments.js';
import { BYTES_PER_TOKEN } from '../contract/usage.js';
import { type Fields, listOf } from '../json/values.js';
import { addJson, addText, type Measures } from './measures.js';
import { estimatePages, pdfAllowance } from './pdf-estimate.js';

/** What an image counts for, or another attachment that cannot be looked into, whatever its size. */
export const TOKENS_PER_ATTACHMENT = 1_600;
/**
 * What a page of a PDF counts for. Some providers count less, Gemini 258:
 * https://ai.google.dev/gemini-api/docs/document-processing
 */
export const TOKENS_PER_PAGE = 2_000;
/**
 * The most that the text of one comes to: 1,500 to 3,000 by
 * https://platform.claude.com/docs/en/build-with-claude/pdf-support
 */
export const MOST_TOKENS_PER_PAGE = 3_000;
/** Fields that name an attachment, or hold its bytes, wherever they stand. */
const ATTACHMENTS = new Set([
  ...['image_url', 'video_url', 'audio_url', 'file_url'],
  ...['file_id', 'file_data', 'b64_json'],
]);
/** Fields that do so in one of these objects; anywhere else they may hold text. */
const ATTACHED = new Set(['data', 'url']);
const HOLDERS = new Set([
  ...['source', 'file', 'image', 'audio', 'video', 'input_audio', 'inline_data'],
  ...['image_url', 'video_url', 'audio_url'],
]);
/**
 * Fields of what a model has thought, sealed for it to read again: `npm test -- src/tokens` has what
 * providers have counted for it.
 */
const SEALED = new Set(['encrypted_content', 'signature', 'thought_signature']);
/** Objects whose data is sealed so. */
const SEALED_DATA = new Set(['redacted_thinking', 'reasoning.encrypted']);
/** What the tools of Messages are called with is JSON, in a field whose name is also that of others. */
const TOOL_CALL = /_?tool_use$/;
/** Fields that hold JSON wherever they stand: schemas, and what other tools are called with. */
const JSON_FIELDS = new Set(['input_schema', 'parameters', 'schema', 'arguments']);
/** Fields of a request that no model reads. */
const NOT_READ = new Set([
  ...['router_candidates', 'fallbacks', 'routing', 'session_id'],
  ...['extra_headers', 'metadata', 'user'],
]);

/** What a conversation's turns stand in. */
const TURNS = new Set(['messages', 'input']);
/** For the marks around a turn, a tool or a block of a tool; a choice, as each model has its own. */
export const TOKENS_PER_MARK = 4;

/** A quick estimate of the tokens in this much UTF-8 text; bounded work, unlike a tokenizer. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

/**
 * A quick estimate of the input tokens of a request's body: its texts by length, PDFs by their pages, a
 * fixed count for any other attachment, one for each token that was sent as a number.
 */
export function estimateInput(body: unknown): number {
  const { tokens, pages, bytes } = measure(body);
  return tokens + TOKENS_PER_PAGE * pages + tokensOfBytes(bytes);
}

/** A quick estimate of the tokens of a body's texts alone, whatever is attached to them. */
export function estimateTexts(body: unknown): number {
  return tokensOfBytes(measure(body).bytes);
}

/**
 * As `estimateInput`, with the marks around turns, rather too high also where these are many and short:
 * of prose the length alone makes up for them.
 */
export function estimatePrompt(body: unknown): number {
  return estimateInput(body) + TOKENS_PER_MARK * measure(body).turns;
}

/** The most input tokens that the body may come to: outside of ASCII every byte may be one. */
export function mostInput(body: unknown): number {
  const { tokens, pages, bytes, wideBytes, turns } = measure(body);
  const attached = tokens + MOST_TOKENS_PER_PAGE * pages + TOKENS_PER_MARK * turns;
  return attached + tokensOfBytes(bytes - wideBytes) + wideBytes;
}

/** Bodies and long lists are counted once, however often they are asked about: then they are complete. */
const LONG_LIST = 16;
const NOTHING = { tokens: 0, pages: 0, bytes: 0, wideBytes: 0, turns: 0 };
const counted = new WeakMap<object, Measures>();

function measure(body: unknown): Measures {
  const known = isFields(body) && counted.get(body);
  if (known) return known;
  const measures = { ...NOTHING, pdfs: pdfAllowance() };
  if (isFields(body)) {
    for (const [name, member] of Object.entries(body)) {
      if (!NOT_READ.has(name)) visit(member, name, '', measures);
      if (TURNS.has(name)) measures.turns += listOf(member).filter(isFields).length;
    }
    counted.set(body, measures);
  } else visit(body, '', '', measures);
  return measures;
}

/** @param holder the field that the value's object is. */
function visit(value: unknown, key: string, holder: string, measures: Measures): void {
  if (typeof value === 'string') {
    if (isAttachment(key, holder)) addAttachment(value, undefined, measures);
    else addText(value, measures);
  } else if (typeof value === 'number') measures.tokens += 1;
  else if (value instanceof Blob) measures.tokens += TOKENS_PER_ATTACHMENT;
  else if (Array.isArray(value)) {
    if (value.length >= LONG_LIST) visitLong(value, key, holder, measures);
    else for (const element of value) visit(element, key, holder, measures);
  } else if (isFields(value)) {
    visitFields(value, key, measures);
  }
}

function visitFields(fields: Fields, holder: string, measures: Measures): void {
  const { type, media_type: mediaType } = fields;
  const isCall = typeof type === 'string' && TOOL_CALL.test(type);
  // Of an object with very many members their entries would take twice as long.
  for (const name of Object.keys(fields)) {
    const member = fields[name];
    const isJson = JSON_FIELDS.has(name) || (isCall && name === 'input');
    if (typeof member === 'object' && isJson) addJson(member, measures);
    else if (typeof member !== 'string') visit(member, name, holder, measures);
    else if (type === 'text' && name === 'data') addText(member, measures);
    else if (
      isAttachment(name, holder) ||
      (type === 'image_generation_call' && name === 'result')
    ) {
      addAttachment(member, mediaType, measures);
    } else if (isSealed(name, type)) measures.bytes += bytesOfBase64(member);
    else addText(member, measures);
  }
}

function isAttachment(key: string, holder: string): boolean {
  return ATTACHMENTS.has(key) || (ATTACHED.has(key) && HOLDERS.has(holder));
}

function isSealed(key: string, type: unknown): boolean {
  return SEALED.has(key) || (key === 'data' && typeof type === 'string' && SEALED_DATA.has(type));
}

/** A file of text is read as text. */
function addAttachment(value: string, mediaType: unknown, measures: Measures): void {
  const type = value.startsWith('data:') ? value.slice('data:'.length, 64) : mediaType;
  if (isTextType(type)) {
    measures.bytes += bytesOfBase64(value);
    return;
  }
  const pages = estimatePages(value, measures.pdfs);
  measures.pages += pages;
  if (pages === 0) measures.tokens += TOKENS_PER_ATTACHMENT;
}

function bytesOfBase64({ length }: string): number {
  return Math.ceil((length * 3) / 4);
}

function visitLong(
  list: readonly unknown[],
  key: string,
  holder: string,
  measures: Measures,
): void {
  let own = counted.get(list);
  if (!own) {
    own = { ...NOTHING, pdfs: measures.pdfs };
    for (const element of list) visit(element, key, holder, own);
    counted.set(list, own);
  }
  measures.tokens += own.tokens;
  measures.pages += own.pages;
  measures.bytes += own.bytes;
  measures.wideBytes += own.wideBytes;
}

function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)
  );
}
