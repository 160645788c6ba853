import { type Fields } from './fields.js';
import { Refusal } from './refusal.js';

const NUMBERS = new Set(['n', 'partial_images']);

/**
 * A multipart form as the JSON body that asks for the same: text parts become fields, the files in
 * `image`, `image[]` or `image[0]` become `images`, all as bytes.
 *
 * @throws Refusal 400 if the bytes are no such form.
 */
export function readForm(bytes: Buffer, contentType: string): Fields {
  const images: Buffer[] = [];
  const fields: [string, unknown][] = [['images', images]];
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  for (const { head, data } of partsOf(bytes, quoted ?? bare ?? '')) {
    const name = /\bname="([^"]*)"/i.exec(head)?.[1] ?? '';
    if (!/\bfilename=/i.test(head)) fields.push([name, fieldOf(name, data.toString())]);
    else if (/^image(\[\d*\])?$/.test(name)) images.push(data);
    else fields.push([name, data]);
  }
  return Object.fromEntries(fields);
}

/** https://www.rfc-editor.org/rfc/rfc7578 */
function* partsOf(bytes: Buffer, boundary: string) {
  const mark = `--${boundary}`;
  let at = boundary === '' ? -1 : bytes.indexOf(mark);
  while (at >= 0) {
    const start = at + mark.length;
    if (bytes.toString('latin1', start, start + 2) === '--') return;
    const end = bytes.indexOf(`\r\n${mark}`, start);
    const blank = bytes.indexOf('\r\n\r\n', start);
    if (end < 0 || blank < 0 || blank > end) break;
    yield { head: bytes.toString('utf8', start, blank), data: bytes.subarray(blank + 4, end) };
    at = end + 2;
  }
  throw new Refusal(400, 'The body is not a multipart form.');
}

function fieldOf(name: string, text: string): unknown {
  if (NUMBERS.has(name)) return Number(text);
  return name === 'stream' ? text === 'true' : text;
}
