import { randomBytes } from 'node:crypto';
import { type Density } from './density.js';
import { type PdfAllowance } from './pdf-estimate.js';
import { SHORTEST_LOOKED_AT } from './text-density.js';

/** What a request's input is measured by. */
export interface Measures {
  /** Images, and other files that cannot be looked into. */
  attachments: number;
  /** Of PDFs. */
  pages: number;
  /** What is no text, and what dense text has beyond its bytes. */
  tokens: number;
  /** What may still be looked at to count pages. */
  readonly pdfs: PdfAllowance;
  readonly files: FileAllowance;
  /** In what is read as JSON. */
  readonly numbers: NumbersSeen;
  /** Of all texts of the body. */
  readonly density: Density;
  /** Of the conversation, each of which has marks around it. */
  turns: number;
  /** Of text in UTF-8. */
  bytes: number;
  /** Those of them that are not ASCII, or a few more. */
  wideBytes: number;
}

/** Takes in a text that a model reads. */
export function addText(text: string, measures: Measures): void {
  const bytes = Buffer.byteLength(text);
  measures.bytes += bytes;
  // A character of two bytes or more has at most twice as many as it has more than units.
  measures.wideBytes += Math.min(bytes, 2 * (bytes - text.length));
  const mayBeRare = text !== '' && bytes >= 2 * text.length;
  if (!mayBeRare && text.length < SHORTEST_LOOKED_AT) return;
  measures.tokens += measures.density.beyondProse(text, bytes);
}

/** Of the beginning of a file so much is looked at: whole bytes, and a dozen windows of text. */
const LOOKED_AT = 16_384;
/** What looking takes, however little there is. */
const LOOKING = 1_024;

/** What may still be looked at of a body's files of text, and what the last one held for each byte. */
export interface FileAllowance {
  characters: number;
  tokens: number;
  wideBytes: number;
}

/** Looked through within a few milliseconds. */
export function fileAllowance(): FileAllowance {
  return { characters: 1024 * 1024, tokens: 0, wideBytes: 0 };
}

/**
 * Takes in a file of text in base64, of which the beginning tells what it holds; where the allowance is
 * used up, the file before it does.
 *
 * @param start where its bytes begin, behind the head of a `data:` address.
 */
export function addFile(base64: string, start: number, measures: Measures): void {
  const { files } = measures;
  if (files.characters > 0) {
    const beginning = base64.slice(start, start + LOOKED_AT);
    const part = { ...measures, tokens: 0, bytes: 0, wideBytes: 0 };
    addText(Buffer.from(beginning, 'base64').toString(), part);
    files.characters -= beginning.length + LOOKING;
    files.tokens = part.tokens / Math.max(1, part.bytes);
    files.wideBytes = part.wideBytes / Math.max(1, part.bytes);
  }
  const bytes = bytesOfBase64(base64.length - start);
  measures.bytes += bytes;
  measures.tokens += bytes * files.tokens;
  measures.wideBytes += Math.ceil(bytes * files.wideBytes);
}

/** How many bytes so many characters of base64 are. */
export function bytesOfBase64(length: number): number {
  return Math.ceil((length * 3) / 4);
}

/** The numbers of a body, those that are passed over, and the tokens of the one that was looked at last. */
interface NumbersSeen {
  count: number;
  passed: number;
  tokens: number;
}

/** So many numbers are written down to see how long they are; beyond them it is one in 32. */
const CLOSE_NUMBERS = 50_000;
/** How many are passed over each time: nobody knows it, who might put short ones where they are looked at. */
const PASSED = Array.from(randomBytes(1_024), (byte) => byte % 63);

/**
 * Takes in what a model reads as JSON: with the names of members, numbers digit by digit, and the marks
 * in between.
 */
export function addJson(value: unknown, measures: Measures): void {
  if (typeof value === 'string') addWord(value, measures);
  else if (Array.isArray(value)) addList(value, measures);
  else if (typeof value === 'object' && value !== null) {
    const fields = value as Readonly<Record<string, unknown>>;
    // Of an object with very many members their entries would take twice as long.
    for (const name of Object.keys(fields)) {
      addWord(name, measures);
      addJson(fields[name], measures);
    }
  } else measures.tokens += tokensOfScalar(value, measures.numbers);
}

/** Of numbers there may be millions, which an iterator takes ten times as long for. */
function addList(list: readonly unknown[], measures: Measures): void {
  let scalars = 0;
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index];
    if (typeof element === 'string' || (typeof element === 'object' && element !== null)) {
      addJson(element, measures);
    } else scalars += tokensOfScalar(element, measures.numbers);
  }
  measures.tokens += scalars;
}

function tokensOfScalar(value: unknown, numbers: NumbersSeen): number {
  if (typeof value !== 'number') return TOKENS_PER_LITERAL;
  numbers.count += 1;
  if (numbers.passed > 0) {
    numbers.passed -= 1;
    return numbers.tokens;
  }
  if (numbers.count > CLOSE_NUMBERS) numbers.passed = PASSED[numbers.count % PASSED.length] ?? 0;
  numbers.tokens = 1 + Math.ceil(String(value).length / DIGITS_PER_TOKEN);
  return numbers.tokens;
}

/** With a sign, a point or an exponent; up to three digits are one token, and a rest is one as well. */
const DIGITS_PER_TOKEN = 2;
/** `true`, `false` or `null`, and what follows it. */
const TOKENS_PER_LITERAL = 2;

/** A name or a text in quotes. */
function addWord(text: string, measures: Measures): void {
  addText(text, measures);
  measures.tokens += 1;
}
