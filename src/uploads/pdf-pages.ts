import { type FileHandle } from 'node:fs/promises';

/**
 * How many pages a PDF has: its page objects, those that were written anew once. Undefined where
 * they are compressed or more than any real file has, or the file is too large to be looked through.
 * https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf#page=84
 */
export async function pdfPages(file: FileHandle, size: number): Promise<number | undefined> {
  if (size > MOST_BYTES) return undefined;
  const pages = new Set<number>();
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  let object = 0;
  let rest = '';
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const text = rest + chunk.toString('latin1', 0, bytesRead);
    // What is cut off at the end is looked at with the next piece.
    const end = at < size ? Math.max(0, text.length - LONGEST_MARK) : text.length;
    MARKS.lastIndex = 0;
    let seen = 0;
    for (let mark = MARKS.exec(text); mark && mark.index < end; mark = MARKS.exec(text)) {
      seen = MARKS.lastIndex;
      const [, number, generation, type] = mark;
      if (number !== undefined) object = Number(number) * GENERATIONS + Number(generation);
      else if (type === 'ObjStm' || pages.size > MOST_PAGES) return undefined;
      else pages.add(object);
    }
    rest = text.slice(Math.max(end, seen));
  }
  return pages.size > 0 ? pages.size : undefined;
}

const MOST_BYTES = 32 * 1024 * 1024;
/** They are held in memory. */
const MOST_PAGES = 50_000;
const CHUNK_BYTES = 65_536;
const LONGEST_MARK = 64;
/** An object's generation has five digits at most. */
const GENERATIONS = 100_000;
/** The head of an object, and the types that matter; `/Pages` is not a page. */
const MARKS = /(\d{1,10})\s{1,4}(\d{1,5})\s{1,4}obj\b|\/Type\s{0,8}\/(Page|ObjStm)(?![A-Za-z])/g;
