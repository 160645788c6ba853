import { constants, inflateSync } from 'node:zlib';

/** The beginning and the end of a file that are looked at, each: writers put the tree of pages there. */
const LOOKED_AT_BYTES = 1024 * 1024;
/** Around a node of the tree; it names the hundreds of pages below it. */
const AROUND = 16 * 1024;
/** Of objects that are compressed together, as they are and when they are not any more. */
const PACKED_BYTES = 64 * 1024;
const UNPACKED_BYTES = 1024 * 1024;
/** What unpacking takes, however little it is. */
const UNPACKING_BYTES = 16 * 1024;
/** More than any provider takes of one file. */
const MOST_PAGES = 1_000;

/** "%PDF-" in base64, whatever comes after it. */
const BEGINNING = 'JVBERi0';
/** A node of the tree of pages, a page, objects that are compressed together. */
const MARK = /\/Type\s{0,8}\/(Pages?|ObjStm)(?![A-Za-z])/g;
const COUNT = /\/Count\s{1,8}(\d{1,9})/;

/** How many bytes may still be looked at, of all files of a body together; it is used up. */
export interface PdfAllowance {
  bytes: number;
}

/** Looked through within a few milliseconds. */
export function pdfAllowance(): PdfAllowance {
  return { bytes: 6 * 1024 * 1024 };
}

/**
 * About how many pages a PDF has, 1 to 1,000: what the root of its tree of pages says, and where that is
 * not found, the pages that are; 1 where the allowance is used up, 0 for what is no PDF.
 * An upload's pages are counted exactly instead, through the whole file, and are unknown where they are
 * compressed; a call needs a number at once, and one that is too small costs more than one that is wrong.
 * https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf#page=84
 *
 * @param content base64, with or without the head of a `data:` address.
 */
export function estimatePages(content: string, allowance: PdfAllowance): number {
  const start = content.startsWith('data:') ? content.indexOf(',', 'data:'.length) + 1 : 0;
  if (!content.startsWith(BEGINNING, start)) return 0;
  const found = { said: 0, pages: 0 };
  for (const end of endsOf(content.slice(start))) {
    allowance.bytes -= end.length;
    if (allowance.bytes <= 0) break;
    look(Buffer.from(end, 'base64').toString('latin1'), found, allowance);
  }
  return Math.min(MOST_PAGES, Math.max(1, found.said, found.pages));
}

/** The end first: there stands the tree of most files, and who looks for it may not come to the other. */
function endsOf(base64: string): readonly string[] {
  // Four characters are three bytes.
  const length = 4 * Math.ceil(LOOKED_AT_BYTES / 3);
  const last = 4 * Math.floor((base64.length - length) / 4);
  return last <= length ? [base64] : [base64.slice(last), base64.slice(0, length)];
}

interface Found {
  /** The most pages that a node of the tree says are below it. */
  said: number;
  pages: number;
}

function look(text: string, found: Found, allowance: PdfAllowance): void {
  for (const { 1: type, index } of text.matchAll(MARK)) {
    if (allowance.bytes <= 0 || found.pages >= MOST_PAGES) return;
    if (type === 'Page') found.pages += 1;
    else if (type === 'Pages') {
      found.said = Math.max(found.said, countAround(text, index, allowance));
    } else look(unpacked(text, index, allowance), found, allowance);
  }
}

/** What a node says; 0 where another dictionary stands between its type and its count. */
function countAround(text: string, index: number, allowance: PdfAllowance): number {
  const before = text.slice(Math.max(0, index - AROUND), index);
  const after = text.slice(index, index + AROUND);
  const [start, end] = [before.lastIndexOf('<<'), after.indexOf('>>')];
  const dictionary = before.slice(Math.max(0, start)) + (end < 0 ? after : after.slice(0, end));
  allowance.bytes -= dictionary.length;
  return Number(COUNT.exec(dictionary)?.[1] ?? 0);
}

/** The objects of a stream; nothing where it is encrypted, packed in another way or very well. */
function unpacked(text: string, index: number, allowance: PdfAllowance): string {
  const rest = text.slice(index, index + PACKED_BYTES);
  const [start, end] = [rest.indexOf('stream'), rest.indexOf('endstream')];
  const stream = end < 0 ? rest : rest.slice(0, end);
  allowance.bytes -= stream.length;
  if (start < 0) return '';
  allowance.bytes -= UNPACKING_BYTES;
  const packed = stream.slice(start + 'stream'.length).replace(/^\r?\n/, '');
  try {
    const objects = inflateSync(Buffer.from(packed, 'latin1'), {
      maxOutputLength: UNPACKED_BYTES,
      // Where the stream goes on behind what is looked at.
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    allowance.bytes -= objects.length;
    return objects.toString('latin1');
  } catch {
    allowance.bytes -= UNPACKED_BYTES;
    return '';
  }
}
