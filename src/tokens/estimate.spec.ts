import { describe, expect, it } from '@jest/globals';
import { estimateInput, mostInput, TOKENS_PER_ATTACHMENT } from './estimate.js';

describe('the estimate of an input', () => {
  it('counts texts by their bytes, tokens one by one, and attachments alike', () => {
    expect(estimateInput({ a: 'abc', b: ['äöü', 'x'] })).toBe(Math.ceil(10 / 3));
    expect(estimateInput({ input: [1, 2, [3]] })).toBe(3);
    const data = 'A'.repeat(100_000);
    expect(estimateInput({ source: { data }, file: new Blob() })).toBe(2 * TOKENS_PER_ATTACHMENT);
    expect(mostInput('aäöü')).toBe(1 + 6);
  });

  it('is that of its items for a long list, whoever asks, and again', () => {
    const input = Array.from(
      { length: 3_000 },
      (_, index) => ['abc', 'ä', 7, ['abcdef']][index % 4],
    );
    const short = Array.from({ length: 3 }, (_, part) => input.slice(part * 900, part * 900 + 900));
    const rest = input.slice(2_700);
    for (const count of [estimateInput, mostInput]) {
      const expected = count([...short, rest]);
      expect([count(input), count({ input, other: [] }), count(input)]).toEqual([
        expected,
        expected,
        expected,
      ]);
      expect(count([input, input])).toBe(2 * expected);
    }
  });
});
