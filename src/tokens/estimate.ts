import { isTextType } from '../contract/attachments.js';
import { TOKENS_PER_ATTACHMENT } from '../contract/seen-images.js';
import { BYTES_PER_TOKEN } from '../contract/usage.js';
import { type Fields, listOf } from '../json/values.js';
import { Density } from './density.js';
import { isAttachment, isJson, isSealed, kindOfField } from './field-kinds.js';
import {
  addFile,
  addJson,
  addText,
  bytesOfBase64,
  fileAllowance,
  type Measures,
} from './measures.js';
import { estimatePages, pdfAllowance } from './pdf-estimate.js';

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
  const { tokens, attachments, pages, bytes } = measure(body);
  const attached = TOKENS_PER_ATTACHMENT * attachments + TOKENS_PER_PAGE * pages;
  return tokens + attached + tokensOfBytes(bytes);
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

/**
 * The most input tokens that the body may come to: outside of ASCII every byte may be one.
 *
 * @param perAttachment What an image is read as at most, see `mostTokensSeen`; asked for where there is one.
 */
export function mostInput(body: unknown, perAttachment = () => TOKENS_PER_ATTACHMENT): number {
  const { tokens, attachments, pages, bytes, wideBytes, turns } = measure(body);
  const seen = attachments === 0 ? 0 : attachments * perAttachment();
  const attached = seen + MOST_TOKENS_PER_PAGE * pages;
  const marks = TOKENS_PER_MARK * turns;
  return tokens + attached + marks + tokensOfBytes(bytes - wideBytes) + wideBytes;
}

/** Bodies and long lists are counted once, however often they are asked about: then they are complete. */
const LONG_LIST = 16;
const NOTHING = { tokens: 0, attachments: 0, pages: 0, bytes: 0, wideBytes: 0, turns: 0 };
const counted = new WeakMap<object, Measures>();

function measure(body: unknown): Measures {
  const known = isFields(body) && counted.get(body);
  if (known) return known;
  const measures = {
    ...NOTHING,
    pdfs: pdfAllowance(),
    files: fileAllowance(),
    numbers: { count: 0, passed: 0, tokens: 0 },
    density: new Density(),
  };
  if (isFields(body)) {
    for (const [name, member] of Object.entries(body)) {
      if (!NOT_READ.has(name)) visit(member, name, '', measures);
      if (TURNS.has(name)) measures.turns += turnsIn(listOf(member));
    }
    counted.set(body, measures);
  } else visit(body, '', '', measures);
  measures.tokens = Math.ceil(measures.tokens);
  return measures;
}

/** Also of numbers, of which there may be millions. */
function turnsIn(list: readonly unknown[]): number {
  let turns = 0;
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index];
    if (typeof element === 'object' && isFields(element)) turns += 1;
  }
  return turns;
}

/** @param holder the field that the value's object is. */
function visit(value: unknown, key: string, holder: string, measures: Measures): void {
  if (typeof value === 'string') visitText(value, key, holder, measures);
  else if (typeof value === 'number') measures.tokens += 1;
  else if (value instanceof Blob) measures.attachments += 1;
  else if (Array.isArray(value)) {
    if (value.length >= LONG_LIST) visitLong(value, key, holder, measures);
    else for (const element of value) visit(element, key, holder, measures);
  } else if (isFields(value)) {
    visitFields(value, key, measures);
  }
}

function visitFields(fields: Fields, holder: string, measures: Measures): void {
  const { type } = fields;
  // Of an object with very many members their entries would take twice as long.
  for (const name of Object.keys(fields)) {
    const member = fields[name];
    if (typeof member === 'string') visitText(member, name, holder, measures, fields);
    else if (typeof member === 'object' && isJson(kindOfField(name), type))
      addJson(member, measures);
    else visit(member, name, holder, measures);
  }
}

/** @param object that the text is a field of, if it is no element of a list there. */
function visitText(
  text: string,
  name: string,
  holder: string,
  measures: Measures,
  { type, media_type: mediaType }: Fields = NO_OBJECT,
): void {
  const kind = kindOfField(name);
  if (kind === undefined) addText(text, measures);
  else if (isAttachment(kind, type, holder)) addAttachment(text, mediaType, measures);
  else if (isSealed(kind, type)) measures.bytes += bytesOfBase64(text.length);
  else addText(text, measures);
}

const NO_OBJECT: Fields = {};

/** A file of text is read as text. */
function addAttachment(value: string, mediaType: unknown, measures: Measures): void {
  const isAddress = value.startsWith('data:');
  const type = isAddress ? value.slice('data:'.length, 64) : mediaType;
  if (isTextType(type)) {
    addFile(value, isAddress ? value.indexOf(',') + 1 : 0, measures);
    return;
  }
  const pages = estimatePages(value, measures.pdfs);
  measures.pages += pages;
  if (pages === 0) measures.attachments += 1;
}

function visitLong(
  list: readonly unknown[],
  key: string,
  holder: string,
  measures: Measures,
): void {
  let own = counted.get(list);
  if (!own) {
    const { pdfs, files, numbers, density } = measures;
    own = { ...NOTHING, pdfs, files, numbers, density };
    let tokens = 0;
    // Of numbers in place of text there may be millions, which an iterator takes ten times as long for.
    for (let index = 0; index < list.length; index += 1) {
      const element = list[index];
      if (typeof element === 'number') tokens += 1;
      else visit(element, key, holder, own);
    }
    own.tokens += tokens;
    counted.set(list, own);
  }
  measures.tokens += own.tokens;
  measures.attachments += own.attachments;
  measures.pages += own.pages;
  measures.bytes += own.bytes;
  measures.wideBytes += own.wideBytes;
}

function isFields(value: unknown): value is Fields {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Blob)
  );
}
