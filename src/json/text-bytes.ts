import { parsedJson } from './values.js';

/** How many bytes of UTF-8 a text has; `inside` is what stands between its quotes in JSON. */
export function textBytes(inside: string): number {
  if (!inside.includes('\\')) return Buffer.byteLength(inside);
  const text = parsedJson(`"${inside}"`);
  return Buffer.byteLength(typeof text === 'string' ? text : inside);
}

/**
 * How many bytes of UTF-8 the first text has that stands in JSON behind what matches `opening`, which
 * ends with its quote; 0 where there is none. No pattern for the text: of a very long one it would throw.
 */
export function bytesBehind(opening: RegExp, json: string): number {
  const found = opening.exec(json);
  if (!found) return 0;
  const start = found.index + found[0].length;
  let end = json.indexOf('"', start);
  while (end >= 0 && isEscaped(json, end, start)) end = json.indexOf('"', end + 1);
  return end < 0 ? 0 : textBytes(json.slice(start, end));
}

function isEscaped(json: string, at: number, start: number): boolean {
  let before = at;
  while (before > start && json[before - 1] === '\\') before -= 1;
  return (at - before) % 2 === 1;
}
