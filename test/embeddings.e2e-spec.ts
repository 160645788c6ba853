import { describe, expect, it } from '@jest/globals';
import { useGateway } from './support/use-gateway.js';

const PATH = '/v3/embeddings';
const model = 'openai/text-embedding-3-small';
const base64 = (...numbers: number[]) =>
  Buffer.from(new Float32Array(numbers).buffer).toString('base64');
const reply = (...embeddings: unknown[]) => ({
  object: 'list',
  data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
  model: 'text-embedding-3-small',
  usage: { prompt_tokens: 1000, total_tokens: 1000 },
});

describe('POST /v3/embeddings', () => {
  const { upstream, post } = useGateway();

  it('relays, adds cost and provider and shows the full model id', async () => {
    upstream.replies(200, reply([0.5, -1], [0.25, 2]));
    const body = `{"model":"${model}","input":["a","b"],"priority":1e400,"metadata":{"a":1},"user":"u"}`;
    const answer = await post(PATH, body).expect(200);
    expect(answer.body).toEqual({
      ...reply([0.5, -1], [0.25, 2]),
      model,
      cost: 0.00002,
      provider: 'openai',
    });
    expect(upstream.last.path).toBe('/openai/v1/embeddings');
    expect(upstream.last.text).toBe(
      '{"model":"text-embedding-3-small","input":["a","b"],"priority":1e400,"user":"u"}',
    );
    expect(upstream.last.headers.authorization).toBe('Bearer upstream-openai-key');
  });

  it('asks for base64 when the caller does and passes it on', async () => {
    upstream.replies(200, reply(base64(0.5, -1)));
    const answer = await post(PATH, { model, input: 'a', encoding_format: 'base64' }).expect(200);
    expect(upstream.last.body.encoding_format).toBe('base64');
    expect(answer.body.data[0].embedding).toBe(base64(0.5, -1));
  });

  it('converts both ways when the provider answers in the other encoding', async () => {
    upstream.replies(200, reply([0.5, -1]));
    const encoded = await post(PATH, { model, input: 'a', encoding_format: 'base64' });
    expect(encoded.body.data[0].embedding).toBe(base64(0.5, -1));
    upstream.replies(200, reply(base64(0.5, -1)));
    const decoded = await post(PATH, { model, input: 'a' });
    expect(decoded.body).toMatchObject({ cost: 0.00002, data: [{ embedding: [0.5, -1] }] });
  });

  it.each([Number, String])(
    'puts vectors in the order of the input: index as %p',
    async (index) => {
      const shuffled = reply([1], [2]);
      const data = shuffled.data
        .reverse()
        .map((item: any) => ({ ...item, index: index(item.index) }));
      upstream.replies(200, { ...shuffled, data });
      const { body } = await post(PATH, { model, input: ['a', 'b'] });
      expect(body.data.map((item: any) => [item.index, item.embedding])).toEqual([
        [0, [1]],
        [1, [2]],
      ]);
    },
  );

  it.each([[[1, 2, 3]], [[[1, 2], [3]]], ['text']])('accepts the input %j', async (input) => {
    const inputs = Array.isArray(input[0]) ? input.length : 1;
    upstream.replies(200, reply(...Array.from({ length: inputs }, () => [1])));
    await post(PATH, { model, input }).expect(200);
    expect(upstream.last.body.input).toEqual(input);
  });

  it('splits more inputs than one call takes, keeps their order and sums the usage', async () => {
    const before = upstream.received.length;
    upstream.answers((response, { body }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply(...body.input.map((text: string) => [Number(text)]))));
    });
    const input = Array.from({ length: 5000 }, (_, index) => String(index));
    const { body } = await post(PATH, { model, input }).expect(200);
    expect(upstream.received.length - before).toBe(3);
    expect(body.data.map((item: any) => item.embedding[0])).toEqual(input.map(Number));
    expect(body.usage).toEqual({ prompt_tokens: 3000, total_tokens: 3000 });
    expect(body.cost).toBe(0.00006);
  });

  it.each([
    ['numbers', [0.5, -1], [0.25, 2, 3]],
    ['base64', base64(0.5, -1), base64(0.25, 2, 3)],
  ])('refuses %s that differ in length', async (_, ...vectors) => {
    upstream.replies(200, reply(...vectors));
    const encoding_format = typeof vectors[0] === 'string' ? 'base64' : 'float';
    await post(PATH, { model, input: ['a', 'b'], encoding_format }).expect(502);
  });

  it('refuses parts whose vectors differ in length', async () => {
    upstream.answers((response, { body }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const vector = body.input[0] === '0' ? [1, 2] : [1];
      response.end(JSON.stringify(reply(...body.input.map(() => vector))));
    });
    const input = Array.from({ length: 3000 }, (_, index) => String(index));
    await post(PATH, { model, input }).expect(502);
  });

  it('cuts the other parts when one has failed', async () => {
    const left = Promise.withResolvers<undefined>();
    upstream.answers((response, { body }) => {
      if (body.input[0] === '0') response.on('close', () => void left.resolve(undefined));
      else response.writeHead(400).end('{"error":{"message":"Not these"}}');
    });
    const input = Array.from({ length: 3000 }, (_, index) => String(index));
    await post(PATH, { model, input }).expect(400);
    await left.promise;
  });

  it.each([
    [{ input: 'a' }, 400, 'model', 'missing_required_parameter'],
    [{ model }, 400, 'input', 'missing_required_parameter'],
    [{ model, input: [] }, 400, 'input', undefined],
    [{ model, input: '' }, 400, 'input', undefined],
    [{ model, input: ['a', 1] }, 400, undefined, undefined],
    [{ model, input: [1.5] }, 400, undefined, undefined],
    [{ model, input: 'a', encoding_format: 'int8' }, 400, 'encoding_format', undefined],
    [{ model, input: 'a', dimensions: 0 }, 400, 'dimensions', undefined],
    [
      { model: 'openai/text-embedding-ada-002', input: 'a', dimensions: 5 },
      400,
      'dimensions',
      'unsupported_parameter',
    ],
    [{ model, input: 'a', fallbacks: ['a/b'] }, 400, 'fallbacks', undefined],
    [{ model: '@router', input: 'a' }, 400, 'model', undefined],
    [{ model: 'openai/nope', input: 'a' }, 404, 'model', 'model_not_found'],
    [{ model: 'openai/gpt-4o', input: 'a' }, 400, 'model', 'model_not_supported'],
  ])('refuses %j with %i', async (body, status, param, code) => {
    const { body: answer } = await post(PATH, body).expect(status);
    expect(answer.error.type).toBe('invalid_request_error');
    if (param !== undefined) expect(answer.error.param).toBe(param);
    if (code !== undefined) expect(answer.error.code).toBe(code);
  });

  it.each([['{"data": nope}'], [JSON.stringify(reply([1])).slice(0, -5)], [''], ['<html>']])(
    'answers 502 for the broken reply %j',
    async (text) => {
      upstream.replies(200, text);
      const { body } = await post(PATH, { model, input: 'a' }).expect(502);
      expect(body.error).toMatchObject({ type: 'upstream_error', code: 'upstream_error' });
    },
  );
});
