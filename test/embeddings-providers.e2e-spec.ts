import { describe, expect, it } from '@jest/globals';
import {
  base64Of,
  bedrockCohere,
  bytesOf,
  cohere,
  type EmbeddingsFormat,
  gemini,
  huggingface,
  nova,
  ollama,
  openaiFormat,
  perplexity,
  titan,
  vectorOf,
  vertexEmbedContent,
  vertexPredict,
} from './support/embeddings-upstream.js';
import { useGatewayOfAll } from './support/embeddings-gateway.js';

const BASIC = ['model', 'input'];
const OPENAI = [...BASIC, 'dimensions', 'encoding_format', 'user'];
const BOTH = ['float', 'base64'];

/** A model of each provider, what its provider takes, and how many inputs of one call. */
const PROVIDERS: readonly [string, EmbeddingsFormat, number][] = [
  [
    'openai/text-embedding-3-small',
    openaiFormat({ fields: OPENAI, most: 2_048, encodings: BOTH }),
    2_048,
  ],
  [
    'azure-openai/text-embedding-3-small',
    openaiFormat({ fields: OPENAI, most: 2_048, encodings: BOTH }),
    2_048,
  ],
  ['google/gemini-embedding-001', gemini, 100],
  ['google/gemini-embedding-2', gemini, 100],
  ['vertex/gemini-embedding-001', vertexPredict, 1],
  ['vertex/gemini-embedding-2', vertexEmbedContent, 1],
  ['vertex/text-embedding-005', vertexPredict, 250],
  ['cohere/embed-v4.0', cohere, 96],
  [
    'mistral/mistral-embed',
    openaiFormat({ fields: [...BASIC, 'output_dimension'], most: 256 }),
    256,
  ],
  [
    'voyage/voyage-4',
    openaiFormat({
      fields: [...BASIC, 'output_dimension', 'encoding_format', 'input_type'],
      most: 1_000,
      encodings: ['base64'],
      length: 'output_dimension',
      usage: (total_tokens) => ({ total_tokens }),
    }),
    1_000,
  ],
  [
    'jina/jina-embeddings-v3',
    openaiFormat({ fields: [...BASIC, 'dimensions', 'task'], most: 512 }),
    512,
  ],
  ['bedrock/amazon.titan-embed-text-v2:0', titan, 1],
  ['bedrock/amazon.nova-2-multimodal-embeddings-v1:0', nova, 1],
  ['bedrock/us.cohere.embed-v4:0', bedrockCohere, 96],
  ['bedrock/cohere.embed-english-v3', bedrockCohere, 96],
  [
    'together/intfloat/multilingual-e5-large-instruct',
    openaiFormat({ fields: BASIC, most: 2_048 }),
    2_048,
  ],
  [
    'fireworks/nomic-ai/nomic-embed-text-v1.5',
    openaiFormat({ fields: [...BASIC, 'dimensions'], most: 2_048 }),
    2_048,
  ],
  ['deepinfra/BAAI/bge-m3', openaiFormat({ fields: [...BASIC, 'user'], most: 1_024 }), 1_024],
  [
    'openrouter/openai/text-embedding-3-small',
    openaiFormat({ fields: OPENAI, most: 2_048, encodings: BOTH }),
    2_048,
  ],
  [
    'alibaba/text-embedding-v4',
    openaiFormat({ fields: [...BASIC, 'dimensions', 'user'], most: 10 }),
    10,
  ],
  [
    'nebius/Qwen/Qwen3-Embedding-8B',
    openaiFormat({ fields: OPENAI, most: 2_048, encodings: BOTH }),
    // More vectors of this length would be too long an answer.
    960,
  ],
  [
    'sambanova/E5-Mistral-7B-Instruct',
    openaiFormat({ fields: [...BASIC, 'user'], most: 2_048 }),
    // More vectors of this length would be too long an answer.
    960,
  ],
  ['huggingface/sentence-transformers/all-MiniLM-L6-v2', huggingface, 128],
  ['ollama/nomic-embed-text', ollama, 512],
  ['vllm/bge-m3', openaiFormat({ fields: OPENAI, most: 2_048, encodings: BOTH }), 2_048],
  ['mine/local-model', openaiFormat({ fields: [...BASIC, 'user'], most: 2_048 }), 2_048],
];

describe('POST /v3/embeddings at every provider', () => {
  const { speaks, upstream, post, get } = useGatewayOfAll();

  describe.each(PROVIDERS)('%s', (model, format, most) => {
    const few = ['alpha', 'βeta 猫', 'gamma'];

    it.each([undefined, 'float', 'base64', null])('encoding_format %j', async (encoding) => {
      speaks(format);
      const { body } = await post({ model, input: few, encoding_format: encoding, user: 'u' });
      const write = encoding === 'base64' ? base64Of : (numbers: number[]) => numbers;
      expect(body).toMatchObject({ object: 'list', model, provider: model.split('/')[0] });
      expect(body.data).toEqual(
        few.map((text, index) => ({
          object: 'embedding',
          index,
          embedding: write(vectorOf(text)),
        })),
      );
      expect(body.usage.prompt_tokens).toBeGreaterThan(0);
      expect(body.usage.total_tokens).toBe(body.usage.prompt_tokens);
      expect(body.cost).toBeGreaterThan(0);
    });

    it('splits one input more than a call takes, and keeps the order', async () => {
      speaks(format);
      const before = upstream.received.length;
      const input = Array.from({ length: most + 1 }, (_, at) => `text ${at}`);
      const { body } = await post({ model, input });
      expect(upstream.received.length - before).toBe(2);
      expect(body.data.map((item: any) => item.index)).toEqual([...input.keys()]);
      expect(body.data.map((item: any) => item.embedding)).toEqual(
        input.map((text) => vectorOf(text)),
      );
    });

    it('answers one text with one vector', async () => {
      speaks(format);
      const { body } = await post({ model, input: 'one' });
      expect(body.data).toEqual([{ object: 'embedding', index: 0, embedding: vectorOf('one') }]);
    });
  });

  it('reads the bytes of Perplexity as numbers', async () => {
    speaks(perplexity);
    const model = 'perplexity/pplx-embed-v1-0.6b';
    const { body } = await post({ model, input: ['a', 'b'], encoding_format: 'float' });
    expect(body.data.map((item: any) => item.embedding)).toEqual([bytesOf('a'), bytesOf('b')]);
    const encoded = await post({ model, input: ['a', 'b'], encoding_format: 'base64' });
    expect(encoded.body.data[1].embedding).toBe(base64Of(bytesOf('b')));
  });

  it.each([
    ['openai/text-embedding-3-small', 0],
    ['google/gemini-embedding-2', 2],
    ['mistral/codestral-embed', 8],
    ['voyage/voyage-4', 9],
    ['cohere/embed-v4.0', 7],
    ['bedrock/amazon.titan-embed-text-v2:0', 11],
    ['bedrock/amazon.nova-2-multimodal-embeddings-v1:0', 12],
    ['alibaba/text-embedding-v4', 19],
  ])('asks %s for shorter vectors in its own words', async (model, row) => {
    const [, format] = PROVIDERS[row]!;
    speaks(
      model.startsWith('mistral')
        ? openaiFormat({
            fields: [...BASIC, 'output_dimension'],
            most: 256,
            length: 'output_dimension',
          })
        : format,
    );
    const { body } = await post({ model, input: 'short', dimensions: 3 });
    const [{ embedding }] = body.data;
    expect(embedding).toHaveLength(3);
    const cosine = (one: number[], other: number[]) =>
      one.reduce((sum, component, at) => sum + component * other[at]!, 0) /
      (Math.hypot(...one) * Math.hypot(...other));
    expect(cosine(embedding, vectorOf('short', 3))).toBeCloseTo(1, 12);
    if (model.startsWith('google')) expect(Math.hypot(...embedding)).toBeCloseTo(1, 12);
  });

  it.each([
    'mistral/mistral-embed',
    'together/intfloat/multilingual-e5-large-instruct',
    'cohere/embed-english-v3.0',
    'voyage/voyage-law-2',
    'mine/local-model',
  ])('refuses dimensions on %s, whose vectors have one length', async (model) => {
    const before = upstream.received.length;
    const { body } = await post({ model, input: 'a', dimensions: 3 }, 400);
    expect(body.error).toMatchObject({ code: 'unsupported_parameter', param: 'dimensions' });
    expect(upstream.received.length).toBe(before);
  });

  it.each(['float', 'base64'])(
    'cuts vectors that bear it where the provider cannot (%s)',
    async (encoding_format) => {
      speaks(openaiFormat({ fields: BASIC, most: 2_048 }));
      const { body } = await post({
        model: 'mine/nested',
        input: ['a', 'b'],
        dimensions: 2,
        encoding_format,
      });
      for (const [at, text] of ['a', 'b'].entries()) {
        const [one = 0, two = 0] = vectorOf(text);
        const length = Math.hypot(one, two);
        const cut = [one / length, two / length];
        expect(body.data[at].embedding).toEqual(encoding_format === 'base64' ? base64Of(cut) : cut);
      }
      const longer = await post({ model: 'mine/nested', input: 'a', dimensions: 5 }, 400);
      expect(longer.body.error).toMatchObject({ code: 'invalid_value', param: 'dimensions' });
    },
  );

  it('passes on what is the provider’s own', async () => {
    speaks(cohere);
    await post({
      model: 'cohere/embed-v4.0',
      input: 'a',
      input_type: 'search_query',
      truncate: 'START',
      zz: null,
    });
    expect(upstream.last.body).toMatchObject({ input_type: 'search_query', truncate: 'START' });
    expect(upstream.last.body).not.toHaveProperty('zz');
    speaks(gemini);
    await post({
      model: 'google/gemini-embedding-2',
      input: ['a', 'b'],
      taskType: 'CLUSTERING',
      title: 'T',
    });
    expect(upstream.last.body.requests).toEqual(
      ['a', 'b'].map((text) => ({
        model: 'models/gemini-embedding-2',
        content: { parts: [{ text }] },
        taskType: 'CLUSTERING',
        title: 'T',
      })),
    );
    speaks(openaiFormat({ fields: [...BASIC, 'task'], most: 512 }));
    await post({ model: 'jina/jina-embeddings-v3', input: 'a', task: 'text-matching' });
    expect(upstream.last.body.task).toBe('text-matching');
    speaks(vertexPredict);
    await post({
      model: 'vertex/text-embedding-005',
      input: 'a',
      task_type: 'CLUSTERING',
      autoTruncate: false,
    });
    expect(upstream.last.body).toEqual({
      instances: [{ content: 'a', task_type: 'CLUSTERING' }],
      parameters: { autoTruncate: false },
    });
    speaks(ollama);
    await post({
      model: 'ollama/nomic-embed-text',
      input: 'a',
      options: { num_ctx: 99 },
      keep_alive: '5m',
    });
    expect(upstream.last.body).toMatchObject({ options: { num_ctx: 99 }, keep_alive: '5m' });
  });

  it('splits by tokens where a provider bounds those of one call', async () => {
    speaks(vertexPredict);
    const before = upstream.received.length;
    const input = Array.from({ length: 8 }, (_, at) => `${at}${'word '.repeat(2_400)}`);
    const { body } = await post({ model: 'vertex/text-embedding-005', input });
    expect(upstream.received.length - before).toBeGreaterThan(1);
    expect(body.data.map((item: any) => item.embedding)).toEqual(
      input.map((text) => vectorOf(text)),
    );
  });

  it('is all or nothing: one refused batch refuses the whole', async () => {
    const limited = new Set(['text 150']);
    speaks((request) =>
      request.body.requests.some(({ content }: any) => limited.has(content.parts[0].text))
        ? {
            status: 429,
            body: { error: { code: 429, message: 'Quota', status: 'RESOURCE_EXHAUSTED' } },
          }
        : gemini(request),
    );
    const input = Array.from({ length: 300 }, (_, at) => `text ${at}`);
    const { body } = await post({ model: 'google/gemini-embedding-2', input }, 429);
    expect(body.error.type).toBe('rate_limit_error');
    expect(body.data).toBeUndefined();
  });

  it('runs four calls at once, and no more', async () => {
    let running = 0;
    let most = 0;
    speaks(async (request) => {
      most = Math.max(most, ++running);
      await new Promise((wait) => setTimeout(wait, 10));
      running -= 1;
      return titan(request);
    });
    const input = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    await post({ model: 'bedrock/amazon.titan-embed-text-v2:0', input });
    expect(most).toBe(4);
  });

  it.each([
    ['fewer', (data: any[]) => data.slice(1)],
    ['more', (data: any[]) => [...data, data[0]]],
    ['no', () => []],
    ['empty', (data: any[]) => data.map((item) => ({ ...item, embedding: [] }))],
    ['no numbers in its', (data: any[]) => [{ ...data[0], embedding: [null, 1, 1, 1] }, data[1]]],
    ['twice the same', (data: any[]) => data.map((item) => ({ ...item, index: 0 }))],
  ])('answers 502 for %s vectors', async (_name, spoil: (data: any[]) => any[]) => {
    speaks((request) => {
      const reply: any = openaiFormat({ fields: OPENAI, most: 9, encodings: BOTH })(request);
      return { ...reply, body: { ...reply.body, data: spoil(reply.body.data) } };
    });
    const model = 'openai/text-embedding-3-small';
    for (const encoding_format of BOTH) {
      const { body } = await post({ model, input: ['a', 'b'], encoding_format }, 502);
      expect(body.error.code).toBe('upstream_error');
    }
  });

  it.each(['NaN', 'Infinity', '-Infinity', '1e999', '1e39', 'null', '"0.5"', '[1]'])(
    'answers 502 for the component %s',
    async (component) => {
      speaks(() => ({
        status: 200,
        body: `{"data":[{"object":"embedding","index":0,"embedding":[0.5,${component}]}],"usage":{"prompt_tokens":1,"total_tokens":1}}`,
      }));
      await post({ model: 'openai/text-embedding-3-small', input: 'a' }, 502);
    },
  );

  it.each([NaN, Infinity, -Infinity])('answers 502 for %d in base64', async (component) => {
    const embedding = base64Of([0.5, component]);
    speaks(() => ({ status: 200, body: { data: [{ object: 'embedding', index: 0, embedding }] } }));
    await post(
      { model: 'openai/text-embedding-3-small', input: 'a', encoding_format: 'base64' },
      502,
    );
  });

  it('counts itself and says so where the provider does not', async () => {
    speaks(gemini);
    const { body } = await post({ model: 'google/gemini-embedding-001', input: 'twelve bytes' });
    expect(body.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
    expect(body.cost).toBeCloseTo(4 * 0.15e-6, 15);
    speaks(openaiFormat({ fields: OPENAI, most: 9, usage: () => undefined }));
    const relayed = await post({ model: 'openai/text-embedding-3-small', input: 'twelve bytes' });
    expect(relayed.body.usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
  });

  it('lists the embedding models of every provider with price, length and limits', async () => {
    const { body } = await get('/v3/embeddings/models');
    const listed = new Map(body.data.map((row: any) => [row.id, row]));
    for (const [model] of PROVIDERS) expect(listed.has(model)).toBe(true);
    for (const row of body.data) {
      expect(row.pricing.input_cost_per_token).toBeGreaterThan(0);
      if (/^(huggingface|ollama|vllm|mine)\//.test(row.id)) continue;
      expect(row.context_length).toBeGreaterThan(0);
      expect(row.capabilities).toMatchObject({
        dimensions: expect.any(Number),
        max_input_items: expect.any(Number),
      });
    }
  });
});
