import { parsedJson } from './values.js';

/** How many bytes of UTF-8 a text has; `inside` is what stands between its quotes in JSON. */
export function textBytes(inside: string): number {
  if (!inside.includes('\\')) return Buffer.byteLength(inside);
  const text = parsedJson(`"${inside}"`);
  return Buffer.byteLength(typeof text === 'string' ? text : inside);
}
