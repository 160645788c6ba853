import { describe, expect, it } from '@jest/globals';
import { EmbeddingsRendering } from './render-embeddings.js';

type Vector = Float32Array | readonly number[];

async function rendered(vectors: readonly Vector[], encoding: 'float' | 'base64') {
  const rendering = new EmbeddingsRendering('a/b', encoding);
  const head = rendering.head({ vectors, promptTokens: 3, totalTokens: undefined });
  // As the dispatcher does it: the bill comes behind.
  const body = [Buffer.from(JSON.stringify({ ...head, cost: 0.5, provider: 'a' }))];
  const answer = await rendering.complete({ headers: { x: 'y' }, body });
  const pieces = answer.body as readonly Buffer[];
  return { headers: answer.headers, pieces, body: JSON.parse(Buffer.concat(pieces).toString()) };
}

const floats = (base64: string) => {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
};

describe('an answer with embeddings', () => {
  it('has the vectors where they belong, as numbers', async () => {
    const { headers, body } = await rendered([[0.1, -2], Float32Array.of(0.1, 3)], 'float');
    expect(headers).toEqual({ x: 'y' });
    expect(Object.entries(body)).toEqual([
      ['object', 'list'],
      [
        'data',
        [
          { object: 'embedding', index: 0, embedding: [0.1, -2] },
          { object: 'embedding', index: 1, embedding: [Math.fround(0.1), 3] },
        ],
      ],
      ['model', 'a/b'],
      ['usage', { prompt_tokens: 3, total_tokens: 3 }],
      ['cost', 0.5],
      ['provider', 'a'],
    ]);
  });

  it('has them as little-endian floats where that was asked for', async () => {
    const { body } = await rendered([[0.1, -2], Float32Array.of(0.1, 3)], 'base64');
    expect(body.data.map(({ embedding }: { embedding: string }) => floats(embedding))).toEqual([
      [Math.fround(0.1), -2],
      [Math.fround(0.1), 3],
    ]);
  });

  it.each([
    [0, 8],
    [1, 4_095],
    [3, 4_097],
    [4_097, 1],
    [700, 1_536],
  ])('has all of %d vectors of length %d, written in pieces', async (count, length) => {
    const vectors = Array.from({ length: count }, (_, index) =>
      Array.from({ length }, (_, at) => (index * length + at) / 8),
    );
    for (const encoding of ['float', 'base64'] as const) {
      const { body, pieces } = await rendered(vectors, encoding);
      expect(body.data.map(({ index }: { index: number }) => index)).toEqual([...vectors.keys()]);
      const given = body.data.map(({ embedding }: { embedding: string | number[] }) =>
        typeof embedding === 'string' ? floats(embedding) : embedding,
      );
      expect(given).toEqual(vectors);
      expect(pieces.length).toBeGreaterThanOrEqual((count * length) / 8_192);
    }
  });

  it('stays as it is when the provider wrote the vectors', async () => {
    const answer = { headers: {}, body: [Buffer.from('{"data":[]}')] };
    expect(await new EmbeddingsRendering('a/b', 'float').complete(answer)).toBe(answer);
  });
});
