import { type FileHandle } from 'node:fs/promises';

/** What a file of text begins and ends with. */
export interface TextSample {
  /** The first characters, or all of them; without a byte order mark. */
  readonly head: string;
  /** Whether `head` is all of it. */
  readonly whole: boolean;
  /** The last character that is no white space; empty when there is none. */
  readonly last: string;
}

/** Reads a file as UTF-8 text; undefined when it is none: other bytes, or control characters. */
export async function textSample(file: FileHandle): Promise<TextSample | undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let head = '';
  let length = 0;
  let last = '';
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    const text = decoded(decoder, chunk.subarray(0, bytesRead));
    if (text === undefined || CONTROL.test(text)) return undefined;
    if (head.length < MOST_HEAD) head += text;
    length += text.length;
    last = text.trimEnd().at(-1) ?? last;
    if (bytesRead === 0) return { head, whole: length === head.length, last };
    at += bytesRead;
  }
}

/** `application/json`, `text/csv` or `text/plain`; undefined for text that a browser would run. */
export function textKind(
  sample: TextSample,
  { isNamedCsv }: { isNamedCsv: boolean },
): string | undefined {
  if (MARKUP.test(sample.head)) return undefined;
  if (isJson(sample)) return 'application/json';
  return isNamedCsv || isCsv(sample) ? 'text/csv' : 'text/plain';
}

const CHUNK_BYTES = 65_536;
/** In characters: longer texts are judged by their ends. */
const MOST_HEAD = 1024 * 1024;
/** All but tab, line feed, vertical tab, form feed, carriage return and escape. */
const CONTROL = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/;
/**
 * The beginnings of https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type that
 * are no mere text.
 */
const MARKUP = /^\s*<(?:!doctype\s+(?:html|svg)|html|head|body|script|iframe|svg|\?xml)\b/i;

function decoded(decoder: TextDecoder, bytes: Buffer): string | undefined {
  try {
    return decoder.decode(bytes, { stream: bytes.length > 0 });
  } catch {
    return undefined;
  }
}

function isJson({ head, whole, last }: TextSample): boolean {
  const first = head.trimStart().at(0);
  const closes = first === '{' ? '}' : ']';
  if ((first !== '{' && first !== '[') || last !== closes) return false;
  // To parse it whole, a large one would have to be held in memory.
  if (!whole) return true;
  try {
    JSON.parse(head);
    return true;
  } catch {
    return false;
  }
}

/** Two records or more with as many fields each, and no space behind a separator as in prose. */
function isCsv({ head, whole }: TextSample): boolean {
  const records = recordsOf(head, whole);
  return SEPARATORS.some((separator) => {
    const [first, ...others] = records.map((record) => record.replace(QUOTED, '').split(separator));
    if (!first || first.length < 2 || others.length === 0) return false;
    const isTable = others.every((fields) => fields.length === first.length);
    return (
      isTable && [first, ...others].every(([, ...rest]) => !rest.some((field) => /^ /.test(field)))
    );
  });
}

const SEPARATORS = [',', ';', '\t'] as const;
/** A field in quotes, which may hold separators and line breaks. */
const QUOTED = /"(?:[^"]|"")*"/g;
const MOST_RECORDS = 50;

function recordsOf(head: string, whole: boolean): readonly string[] {
  const lines = head
    .slice(0, CHUNK_BYTES)
    .replace(QUOTED, (field) => field.replace(/[\r\n]/g, ' '))
    .split(/\r\n|\n|\r/);
  // The last line may be cut off in its middle.
  const complete = whole && head.length <= CHUNK_BYTES ? lines : lines.slice(0, -1);
  return complete.filter((line) => line !== '').slice(0, MOST_RECORDS);
}
