import { describe, expect, it } from '@jest/globals';
import { useGatewayOfAll } from './support/embeddings-gateway.js';
import { base64Of, cohere, gemini, openaiFormat, vectorOf } from './support/embeddings-upstream.js';

const BASIC = ['model', 'input'];

/** What other gateways and clients got wrong with embeddings. */
describe('embeddings, learned from others', () => {
  const { speaks, upstream, post } = useGatewayOfAll();

  it.each([
    'openai/text-embedding-3-small',
    'azure-openai/text-embedding-3-small',
    'mistral/mistral-embed',
    'voyage/voyage-4',
    'openrouter/openai/text-embedding-3-small',
    'nebius/Qwen/Qwen3-Embedding-8B',
    'vllm/bge-m3',
    'mine/local-model',
  ])('a gateway adds an encoding_format of its own: not to %s', async (model) => {
    speaks(openaiFormat({ fields: BASIC, most: 9 }));
    await post({ model, input: ['a'] });
    expect(upstream.last.body).toEqual({
      model: model.slice(model.indexOf('/') + 1),
      input: ['a'],
    });
  });

  it.each([
    'together/intfloat/multilingual-e5-large-instruct',
    'deepinfra/BAAI/bge-m3',
    'jina/jina-embeddings-v3',
  ])(
    'providers refuse encoding_format: %s is not sent one, and base64 is made here',
    async (model) => {
      speaks(openaiFormat({ fields: BASIC, most: 9 }));
      const { body } = await post({ model, input: ['a'], encoding_format: 'base64' });
      expect(body.data[0].embedding).toBe(base64Of(vectorOf('a')));
    },
  );

  it('Voyage refuses "float": it is sent base64 or nothing', async () => {
    const fields = [...BASIC, 'encoding_format'];
    speaks(openaiFormat({ fields, most: 9, encodings: ['base64'] }));
    const floats = await post({ model: 'voyage/voyage-4', input: 'a', encoding_format: 'float' });
    expect(floats.body.data[0].embedding).toEqual(vectorOf('a'));
    expect(upstream.last.body).not.toHaveProperty('encoding_format');
    const text = await post({ model: 'voyage/voyage-4', input: 'a', encoding_format: 'base64' });
    expect(text.body.data[0].embedding).toBe(base64Of(vectorOf('a')));
    expect(upstream.last.body.encoding_format).toBe('base64');
  });

  it.each(['float', 'base64'])(
    'Gemini refuses the parameter: %s is made here',
    async (encoding_format) => {
      speaks(gemini);
      const model = 'google/gemini-embedding-001';
      const { body } = await post({ model, input: 'a', encoding_format });
      expect(upstream.last.text).not.toContain('encoding');
      const vector = vectorOf('a');
      expect(body.data[0].embedding).toEqual(
        encoding_format === 'float' ? vector : base64Of(vector),
      );
    },
  );

  it('a server of somebody’s own refuses base64, which OpenAI’s client asks for by itself', async () => {
    const fields = [...BASIC, 'encoding_format'];
    speaks(openaiFormat({ fields, most: 9, encodings: ['float'] }));
    const model = 'mine/local-model';
    const { body } = await post({ model, input: 'a', encoding_format: 'base64' });
    expect(body.data[0].embedding).toBe(base64Of(vectorOf('a')));
  });

  it.each(['openai/text-embedding-3-small', 'mine/local-model', 'voyage/voyage-4'])(
    'a null encoding_format becomes a 422: %s is not sent it',
    async (model) => {
      speaks(openaiFormat({ fields: BASIC, most: 9 }));
      const { body } = await post({ model, input: 'a', encoding_format: null, dimensions: null });
      expect(body.data[0].embedding).toEqual(vectorOf('a'));
    },
  );

  it.each([100, 101, 250])(
    'Gemini takes a hundred texts a call: %i are answered',
    async (count) => {
      speaks(gemini);
      const before = upstream.received.length;
      const input = Array.from({ length: count }, (_, at) => `text ${at}`);
      const { body } = await post({ model: 'google/gemini-embedding-2', input });
      expect(upstream.received.length - before).toBe(Math.ceil(count / 100));
      expect(body.data.map((item: any) => item.embedding)).toEqual(
        input.map((text) => vectorOf(text)),
      );
    },
  );

  it('Gemini takes own fields with each text: long ones stand beside few', async () => {
    speaks(gemini);
    const before = upstream.received.length;
    const model = 'google/gemini-embedding-2';
    const input = Array.from({ length: 100 }, (_, at) => `text ${at}`);
    const { body } = await post({ model, input, title: 'x'.repeat(100_000) }, 400);
    expect(body.error).toMatchObject({ param: 'input', message: expect.stringContaining('title') });
    expect(upstream.received.length).toBe(before);
    await post({ model, input: input.slice(0, 10), title: 'x'.repeat(100_000) });
    await post({ model, input, title: 'x'.repeat(1_000) });
  });

  it('what is sent in many calls repeats no long user', async () => {
    const before = upstream.received.length;
    const input = Array.from({ length: 2_049 }, (_, at) => `text ${at}`);
    const model = 'openai/text-embedding-3-small';
    const { body } = await post({ model, input, user: 'x'.repeat(4_200_000) }, 400);
    expect(body.error).toMatchObject({ param: 'input', message: expect.stringContaining('user') });
    expect(upstream.received.length).toBe(before);
  });

  it.each(['cohere/embed-v4.0', 'cohere/embed-english-v3.0'])(
    'Cohere takes 96 texts a call: %s answers 200',
    async (model) => {
      speaks(cohere);
      const sizes: number[] = [];
      speaks((request) => {
        sizes.push(request.body.texts.length);
        return cohere(request);
      });
      const input = Array.from({ length: 200 }, (_, at) => `text ${at}`);
      const { body } = await post({ model, input });
      expect(sizes.toSorted((one, other) => other - one)).toEqual([96, 96, 8]);
      expect(body.data.map((item: any) => item.embedding)).toEqual(
        input.map((text) => vectorOf(text)),
      );
      const tokens = input.join('').length;
      expect(body.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    },
  );
});
