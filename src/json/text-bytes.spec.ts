import { expect, it } from '@jest/globals';
import { bytesBehind } from './text-bytes.js';

const OPENING = /"text":\s*"/;

it.each([
  ['{"text":"abc"}', 3],
  ['{"index":0,"text": "é😀"}', 6],
  ['{"text":"a\\"b","more":"c"}', 3],
  ['{"text":"\\\\","more":"c"}', 1],
  ['{"text":"\\u00e9"}', 2],
  ['{"text":""}', 0],
  ['{"text":"cut', 0],
  ['{"texts":"a"}', 0],
])('counts the bytes of the text in %s: %i', (json, bytes) => {
  expect(bytesBehind(OPENING, json)).toBe(bytes);
});

it('counts a text of millions of escapes', () => {
  const escapes = 5_000_000;
  expect(bytesBehind(OPENING, `{"text":"${'\\n'.repeat(escapes)}"}`)).toBe(escapes);
});
