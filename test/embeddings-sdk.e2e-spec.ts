import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, it } from '@jest/globals';
import { embedMany } from 'ai';
import { encode } from 'gpt-tokenizer/encoding/cl100k_base';
import { useGatewayOfAll } from './support/embeddings-gateway.js';
import {
  cohere,
  type EmbeddingsFormat,
  gemini,
  openaiFormat,
  vectorOf,
} from './support/embeddings-upstream.js';
import { type Received } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { openaiAt } from './support/sdk-clients.js';

const fields = ['model', 'input', 'dimensions', 'encoding_format', 'user'];
const openai = openaiFormat({ fields, most: 2_048, encodings: ['float', 'base64'] });
/** OpenAI reads tokens itself. */
const openaiWithTokens: EmbeddingsFormat = (request) =>
  openai({ ...request, body: { ...request.body, input: `${request.body.input}` } } as Received);

const UPSTREAMS: readonly [string, EmbeddingsFormat][] = [
  ['openai/text-embedding-3-small', openai],
  ['google/gemini-embedding-2', gemini],
  ['cohere/embed-v4.0', cohere],
];

describe.each(UPSTREAMS)('OpenAI’s client with %s', (model, format) => {
  const gateway = useGatewayOfAll();
  const client = () => openaiAt(gateway.url);
  const rounded = (text: string) => [...Float32Array.from(vectorOf(text))];

  it.each([undefined, 'float', 'base64'] as const)('reads vectors, %s', async (encoding_format) => {
    gateway.speaks(format);
    const { data, usage } = await client().embeddings.create({
      model,
      input: ['first', 'second'],
      ...(encoding_format && { encoding_format }),
    });
    expect(data.map(({ index }) => index)).toEqual([0, 1]);
    const vectors = data.map(({ embedding }) => embedding as unknown);
    if (encoding_format === 'base64') {
      expect(vectors.every((vector) => typeof vector === 'string')).toBe(true);
    } else expect(vectors).toEqual([rounded('first'), rounded('second')]);
    expect(usage.prompt_tokens).toBeGreaterThan(0);
  });

  it('sends tokens, of one text and of several', async () => {
    const texts = ['Hello, world!', 'Grüße aus 東京 🚀'];
    const tokens = texts.map((text) => encode(text));
    const reads = model.startsWith('openai') ? openaiWithTokens : format;
    gateway.speaks(reads);
    const one = await client().embeddings.create({ model, input: tokens[0]! });
    expect(one.data).toHaveLength(1);
    if (model.startsWith('openai')) {
      expect(gateway.upstream.last.body.input).toEqual(tokens[0]);
      return;
    }
    expect(one.data[0]?.embedding).toEqual(rounded(texts[0]!));
    const both = await client().embeddings.create({ model, input: tokens });
    expect(both.data.map(({ embedding }) => embedding)).toEqual(texts.map(rounded));
  });

  it('sends 5,000 inputs', async () => {
    gateway.speaks(format);
    const input = Array.from({ length: 5_000 }, (_, at) => `text ${at}`);
    const { data, usage } = await client().embeddings.create({ model, input });
    expect(data.map(({ index }) => index)).toEqual([...input.keys()]);
    expect(data.map(({ embedding }) => embedding)).toEqual(input.map(rounded));
    if (!model.startsWith('google')) expect(usage.total_tokens).toBe(input.join('').length);
  });

  it('reads vectors through embedMany', async () => {
    gateway.speaks(format);
    const provider = createOpenAICompatible({
      name: 'causeway',
      baseURL: `${gateway.url}/v3`,
      apiKey: API_KEY,
    });
    const values = Array.from({ length: 300 }, (_, at) => `value ${at}`);
    const { embeddings, usage } = await embedMany({
      model: provider.embeddingModel(model),
      values,
    });
    expect(embeddings.map((vector) => [...vector])).toEqual(values.map((text) => vectorOf(text)));
    expect(usage.tokens).toBeGreaterThan(0);
  });
});

describe('tokens for a model that reads text', () => {
  const { speaks, post, upstream } = useGatewayOfAll();

  it.each([[[100_261]], [[[1, 2], [4_000_000]]], [[2 ** 31]]])('refuses %j', async (input) => {
    speaks(cohere);
    const before = upstream.received.length;
    const { body } = await post({ model: 'cohere/embed-v4.0', input }, 400);
    expect(body.error).toMatchObject({ param: 'input', code: 'invalid_value' });
    expect(upstream.received.length).toBe(before);
  });

  it('passes them on as they are to a server of somebody’s own', async () => {
    speaks((request) =>
      openaiFormat({ fields, most: 9 })({ ...request, body: { ...request.body, input: 'x' } }),
    );
    await post({ model: 'mine/local-model', input: [5, 6] });
    expect(upstream.last.body.input).toEqual([5, 6]);
  });
});
