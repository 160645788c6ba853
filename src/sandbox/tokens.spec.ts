import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens, cutToTokens, piecesOf } from './tokens.js';

const anyText = fc.string({ unit: 'grapheme', maxLength: 2_000 });

describe('tokens', () => {
  it('counts four bytes a token, and never none', () => {
    expect(countTokens('')).toBe(1);
    expect(countTokens('abcd')).toBe(1);
    expect(countTokens('abcd', 'e')).toBe(2);
    expect(countTokens('日本語')).toBe(3);
  });

  it('cuts to the count that was asked for, on a whole character', () => {
    expect(cutToTokens('abcdefghi', 2)).toBe('abcdefgh');
    expect(cutToTokens('日本語', 1)).toBe('日');
    expect(cutToTokens('👍👍', 1)).toBe('👍');
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 300 }), (text, most) => {
        const kept = cutToTokens(text, most);
        expect(text.startsWith(kept)).toBe(true);
        expect(kept.isWellFormed()).toBe(true);
        expect(countTokens(kept)).toBe(Math.min(most, countTokens(text)));
      }),
    );
  });

  it('streams a text in several whole pieces, but not in too many', () => {
    expect([...piecesOf('')]).toEqual([]);
    expect([...piecesOf('👍👍👍👍')]).toEqual(['👍👍', '👍👍']);
    expect([...piecesOf('a'.repeat(1_000_000))].length).toBeLessThanOrEqual(256);
    fc.assert(
      fc.property(anyText, (text) => {
        const pieces = [...piecesOf(text)];
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece.isWellFormed() && piece !== '')).toBe(true);
      }),
    );
  });
});
