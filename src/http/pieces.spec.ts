import { describe, expect, it } from '@jest/globals';
import { Pieces } from './pieces.js';

const of = (...lengths: number[]) => {
  const pieces = new Pieces();
  const added = lengths.map((length, at) => Buffer.alloc(length, at));
  for (const piece of added) pieces.add(piece);
  return { added: Buffer.concat(added), kept: pieces.all() };
};

describe('Pieces', () => {
  it('are few, however many bytes come one by one', () => {
    const { added, kept } = of(...Array<number>(100_000).fill(1));
    expect(kept.length).toBeLessThan(3);
    expect(Buffer.concat(kept)).toEqual(added);
  });

  it('keep their order, and take little room, where short ones stand between long ones', () => {
    const { added, kept } = of(...Array.from({ length: 400 }, (_, at) => (at % 2 ? 5_000 : 3)));
    expect(Buffer.concat(kept)).toEqual(added);
    const short = kept.filter(({ length }) => length === 3);
    expect(new Set(short.map(({ buffer }) => buffer)).size).toBe(1);
  });

  it('take little room where they are known to be short', () => {
    const pieces = new Pieces(7_000);
    const added = [3_000, 4_000].map((length, at) => Buffer.alloc(length, at));
    for (const piece of added) pieces.add(piece);
    const kept = pieces.all();
    expect(kept).toEqual([Buffer.concat(added)]);
    expect(kept[0]!.buffer.byteLength).toBe(7_000);
  });

  it('are the same where they are long, and none where there is nothing', () => {
    const long = Buffer.alloc(70_000);
    const pieces = new Pieces();
    expect(pieces.all()).toEqual([]);
    pieces.add(long);
    expect(pieces.all()[0]).toBe(long);
  });
});
