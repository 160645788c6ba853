import { describe, expect, it } from '@jest/globals';
import { inSlices, SLICE_BYTES } from './in-slices.js';

const lengths = async (...pieces: number[]): Promise<number[]> => {
  const made: number[] = [];
  const bytes = pieces.map((length) => Buffer.alloc(length, 'a'));
  for await (const slice of inSlices(bytes)) made.push(slice.length);
  return made;
};

describe('inSlices', () => {
  it.each<[string, number[], number[]]>([
    ['a short body', [1], [1]],
    ['no body', [], []],
    ['empty pieces', [0, 3, 0], [3]],
    [
      'many short pieces',
      Array<number>(9).fill(SLICE_BYTES / 4),
      [SLICE_BYTES, SLICE_BYTES * 1.25],
    ],
    ['a short end', [SLICE_BYTES * 4, SLICE_BYTES * 4, 1], [SLICE_BYTES * 4, SLICE_BYTES * 4 + 1]],
    ['a long piece', [SLICE_BYTES * 4], [SLICE_BYTES * 4]],
  ])('leaves no short end behind (%s)', async (_, pieces, made) => {
    expect(await lengths(...pieces)).toEqual(made);
  });

  it('keeps the bytes in their order', async () => {
    const text = 'abc'.repeat(SLICE_BYTES);
    const pieces = text.match(/.{1,50000}/g)!.map((piece) => Buffer.from(piece));
    const slices: Uint8Array[] = [];
    for await (const slice of inSlices(pieces)) slices.push(slice);
    expect(Buffer.concat(slices).toString()).toBe(text);
  });
});
