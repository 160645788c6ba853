import { describe, expect, it } from '@jest/globals';
import { codePoints, hasMoreCodePoints } from './code-points.js';

describe('code points', () => {
  it.each(['', 'abc', '😀', '😀😀a', 'a\ud83d', '\ude00\ud83d', '\ud83d\ud83d\ude00', 'é\ude00'])(
    'are counted in %j as by going through it',
    (text) => {
      const count = [...text].length;
      expect(codePoints(text)).toBe(count);
      for (const most of [0, count - 1, count, count + 1]) {
        expect(hasMoreCodePoints(text, most)).toBe(count > most);
      }
    },
  );

  it('are counted up to an end, which may stand inside a pair', () => {
    expect([0, 1, 2, 3].map((end) => codePoints('a😀', end))).toEqual([0, 1, 2, 2]);
  });
});
