import { describe, expect, it } from '@jest/globals';
import { embeddings } from './embeddings.js';

describe('OpenAI embeddings', () => {
  it('answers in the shape of the API, in the order of the input', () => {
    const answer = create({ input: ['abcde', 'x'] });
    expect(answer).toEqual({
      object: 'list',
      model: 'embedding',
      data: [
        { object: 'embedding', index: 0, embedding: vector({ input: 'abcde' }) },
        { object: 'embedding', index: 1, embedding: vector({ input: 'x' }) },
      ],
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
  });

  it('gives one unit vector of float32 for one input, and another for another', () => {
    const inputs = ['a', 'b', '1,2', [1, 2], [12], [1, 2, 3]];
    const vectors = inputs.map((input) => vector({ input }));
    expect(new Set(vectors.map(String)).size).toBe(inputs.length);
    for (const [at, input] of inputs.entries()) {
      expect(vector({ input })).toEqual(vectors[at]);
      expect(vectors[at]).toHaveLength(256);
      expect(vectors[at]).toEqual(vectors[at]!.map(Math.fround));
      expect(Math.hypot(...vectors[at]!)).toBeCloseTo(1, 6);
    }
  });

  it('counts tokens as they are given', () => {
    expect(create({ input: [1, 2, 3] }).data).toHaveLength(1);
    expect(create({ input: [[1, 2, 3], [4]] })).toMatchObject({
      data: [{ index: 0 }, { index: 1 }],
      usage: { prompt_tokens: 4 },
    });
  });

  it.each([1, 2, 255, 256])('shortens to %i dimensions and keeps the direction', (dimensions) => {
    const short = vector({ input: 'a', dimensions });
    const start = vector({ input: 'a' }).slice(0, dimensions);
    const length = Math.hypot(...start);
    expect(short).toHaveLength(dimensions);
    short.forEach((component, at) => {
      expect(component).toBeCloseTo(start[at]! / length, 5);
    });
  });

  it('writes little-endian float32 as base64', () => {
    const [item] = create({ input: 'a', encoding_format: 'base64' }).data;
    const bytes = Buffer.from(item!.embedding as unknown as string, 'base64');
    const read = Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
    expect(read).toEqual(vector({ input: 'a', encoding_format: 'float' }));
  });

  it.each([
    [{ input: '' }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: ['a', ''] }, 'input'],
    [{ input: ['a', 1] }, 'input'],
    [{ input: [[1], []] }, 'input'],
    [{ input: [1.5] }, 'input'],
    [{ input: [-1] }, 'input'],
    [{}, 'input'],
    [{ input: Array(2049).fill('a') }, 'input'],
    [{ input: 'a', dimensions: 0 }, 'dimensions'],
    [{ input: 'a', dimensions: 257 }, 'dimensions'],
    [{ input: 'a', dimensions: 1.5 }, 'dimensions'],
    [{ input: 'a', encoding_format: 'hex' }, 'encoding_format'],
  ])('refuses %j', (body, param) => {
    expect(() => create(body)).toThrow(
      expect.objectContaining({ status: 400, details: { param, code: 'invalid_value' } }),
    );
  });

  it('makes no more vectors than are read', () => {
    let made = 0;
    const asTokens = (token: number) =>
      Object.assign([token], { join: () => `${token} is ${made++}` });
    const input = Array.from({ length: 2048 }, (_, token) => asTokens(token));
    const pieces = piecesOf({ model: 'text-embedding-3-large', input, dimensions: 3072 });
    const [first, second] = pieces;
    expect([first, second]).toEqual([expect.stringMatching(/"index":0,/), expect.any(String)]);
    expect(made).toBe(2);
  });

  it("lets a live model's name ask for its own, longer vectors", () => {
    expect(vector({ model: 'text-embedding-3-large', input: 'a', dimensions: 3072 })).toHaveLength(
      3072,
    );
  });
});

function piecesOf(body: object): Iterable<string> {
  const call = { body: { model: 'embedding', ...body }, created: 0 };
  return (embeddings(call) as { pieces: Iterable<string> }).pieces;
}

function create(body: object) {
  return JSON.parse([...piecesOf(body)].join('')) as { data: { embedding: number[] }[] };
}

function vector(body: object): number[] {
  return create(body).data[0]!.embedding;
}
