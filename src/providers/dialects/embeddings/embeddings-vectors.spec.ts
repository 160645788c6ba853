import { describe, expect, it } from '@jest/globals';
import { GatewayError } from '../../../contract/gateway-error.js';
import { checkedVectors, vectorIn } from './embeddings-vectors.js';

const base64 = (floats: readonly number[]) => {
  const bytes = Buffer.alloc(floats.length * 4);
  floats.forEach((float, at) => bytes.writeFloatLE(float, at * 4));
  return bytes.toString('base64');
};

describe('vectors', () => {
  it.each([[[1.5, -2]], [[0.1]], [Array.from({ length: 3_072 }, (_, at) => at / 7)]])(
    'are read from base64 as from numbers: %#',
    (floats) => {
      expect(Array.from(vectorIn(base64(floats)) ?? [])).toEqual(floats.map(Math.fround));
      expect(vectorIn(floats)).toBe(floats);
    },
  );

  it.each(['AAA=', 5, null, undefined, {}])('are not in %j', (embedding) => {
    expect(vectorIn(embedding)).toBeUndefined();
  });

  it('are taken when all are numbers that a float holds, and as many', () => {
    const vectors = [vectorIn(base64([1, 2])), vectorIn([1, 3.4e38])];
    expect(checkedVectors(vectors, 2)).toBe(vectors);
  });

  it.each([
    [[base64([1, NaN])]],
    [[base64([Infinity, 1])]],
    [[[1, 3.5e38]]],
    [[[1, '1']]],
    [[[1, null]]],
    [[[]]],
    [[[1, 2], [1]]],
    [[base64([1, 2]), [1]]],
    [[[1], undefined]],
  ])('are refused otherwise: %#', (embeddings) => {
    const vectors = embeddings.map(vectorIn);
    expect(() => checkedVectors(vectors, vectors.length)).toThrow(GatewayError);
    expect(() => checkedVectors([[1]], 2)).toThrow(GatewayError);
  });
});
