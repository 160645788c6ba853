import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import OpenAI, { type ClientOptions } from 'openai';
import { ADMIN_KEY } from './support/gateway.js';
import { allOf, openaiAt, thrownBy } from './support/sdk-clients.js';
import { useGateway } from './support/use-gateway.js';

const model = 'openai/gpt-4o-mini';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
const cost = 1000 * 0.000_000_15 + 500 * 0.000_000_6;
const added = { model, cost, provider: 'openai' };
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini-2024-07-18',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage,
};
const chunk = (delta: object | undefined, finish: string | null = null, more: object = {}) => {
  const choices = delta ? [{ index: 0, delta, finish_reason: finish }] : [];
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o-mini' };
  return `data: ${JSON.stringify({ ...head, choices, ...more })}\n\n`;
};
const SAYS_HI = [
  chunk({ role: 'assistant', content: 'H' }),
  chunk({ content: 'i' }),
  chunk({}, 'stop'),
];
const USAGE = chunk(undefined, null, { usage });
const DONE = 'data: [DONE]\n\n';
const parameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
};
const tools = [{ type: 'function' as const, function: { name: 'weather', parameters } }];

describe("OpenAI's SDK and a provider", () => {
  const gateway = useGateway();
  const { upstream } = gateway;
  const client = (options: ClientOptions = {}) => openaiAt(gateway.url, options);

  it('reads an answer, its cost and its request id', async () => {
    upstream.replies(200, answer);
    const call = client().chat.completions.create({ model, messages });
    const { data, request_id: requestId, response } = await call.withResponse();
    expect(data).toMatchObject({ ...answer, ...added });
    expect(requestId).toMatch(/^req_/);
    expect(requestId).toBe(response.headers.get('request-id'));
    expect(upstream.last.body).toEqual({ model: 'gpt-4o-mini', messages });
    expect(upstream.last.headers.authorization).toBe('Bearer upstream-openai-key');
  });

  it('reads a stream, with usage where it was asked for', async () => {
    upstream.streams(...SAYS_HI, USAGE, DONE);
    const body = { model, messages, stream: true as const };
    const chunks = await allOf(await client().chat.completions.create(body));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hi');
    expect(chunks.map((each) => [each.model, each.usage])).toEqual(
      SAYS_HI.map(() => [model, undefined]),
    );

    const stream_options = { include_usage: true };
    const asked = await allOf(await client().chat.completions.create({ ...body, stream_options }));
    expect(asked.slice(0, -1)).toEqual(chunks);
    expect(asked.at(-1)).toMatchObject({ ...added, choices: [], usage });
  });

  it.each(['plain', 'streamed'])('reads a %s tool call', async (way) => {
    const called = { name: 'weather', arguments: '{"city":"Rome"}' };
    const call = { id: 'call_1', type: 'function', function: called };
    const piece = (text: string) =>
      chunk({ tool_calls: [{ index: 0, function: { arguments: text } }] });
    if (way === 'plain') {
      const message = { role: 'assistant', content: null, tool_calls: [call] };
      const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
      upstream.replies(200, { ...answer, choices });
    } else {
      const opened = { index: 0, ...call, function: { name: 'weather', arguments: '' } };
      const start = chunk({ role: 'assistant', tool_calls: [opened] });
      upstream.streams(start, piece('{"city"'), piece(':"Rome"}'), chunk({}, 'tool_calls'), DONE);
    }
    const { completions } = client().chat;
    const body = { model, messages, tools };
    const completion = await (way === 'plain'
      ? completions.create(body)
      : completions.stream(body).finalChatCompletion());
    expect(upstream.last.body.tools).toEqual(tools);
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { tool_calls: [call] },
    });
  });

  it('generates an image', async () => {
    upstream.replies(200, { created: 7, data: [{ url: 'https://images.example/1' }] });
    const drawn = await client().images.generate({ model: 'openai/dall-e-3', prompt: 'a fox' });
    expect(drawn).toMatchObject({
      created: 7,
      data: [{ url: 'https://images.example/1', b64_json: null, revised_prompt: null }],
      cost: 0.04,
      provider: 'openai',
    });
  });

  const embedding = 'openai/text-embedding-3-small';
  it.each([
    ['base64 by default', {}, 'base64'],
    ['floats when asked', { encoding_format: 'float' as const }, 'float'],
    ['shortened', { dimensions: 2 }, 'base64'],
    ['of tokens', { input: [[1, 2], [3]] }, 'base64'],
  ])('reads vectors, %s', async (_, fields, format) => {
    const vectors = [
      [0.5, -1],
      [0.25, 2],
    ];
    upstream.replies(200, embeddings(vectors, format));
    const body = { model: embedding, input: ['a', 'b'], ...fields };
    const list = await client().embeddings.create(body);
    expect(upstream.last.body).toEqual({
      ...body,
      model: 'text-embedding-3-small',
      encoding_format: format,
    });
    expect(list.data.map((item) => [...item.embedding])).toEqual(vectors);
    expect(list).toMatchObject({ model: embedding, usage: { prompt_tokens: 4 }, cost: 8e-8 });
  });

  it('lists models and finds one by an id with a slash', async () => {
    const models = await allOf(client().models.list());
    expect(models.map(({ id }) => id)).toContain(model);
    const found = models.find(({ id }) => id === model);
    expect(await client().models.retrieve(model)).toMatchObject({ ...found });
    await thrownBy(OpenAI.NotFoundError, client().models.retrieve('openai/nope'));
  });

  it.each([
    [400, OpenAI.BadRequestError, 400, 'invalid_request_error'],
    [404, OpenAI.NotFoundError, 404, 'invalid_request_error'],
    [422, OpenAI.BadRequestError, 400, 'invalid_request_error'],
    [429, OpenAI.RateLimitError, 429, 'rate_limit_error'],
    [401, OpenAI.InternalServerError, 502, 'upstream_error'],
    [403, OpenAI.InternalServerError, 502, 'upstream_error'],
    [500, OpenAI.InternalServerError, 502, 'upstream_error'],
    [529, OpenAI.InternalServerError, 503, 'server_error'],
  ])('throws its own error for the provider’s %i', async (given, kind, status, type) => {
    const error = { message: 'said', type: 'x', param: 'messages', code: 'its_own' };
    upstream.replies(given, { error });
    const thrown = await thrownBy(kind, client().chat.completions.create({ model, messages }));
    expect(thrown).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/) });
    if (status < 500) expect(thrown).toMatchObject({ param: 'messages', code: 'its_own' });
    expect(thrown.message.includes('said')).toBe(status < 500);
    // Whether to try again is for the SDK to see from the status.
    expect(thrown.headers?.get('x-should-retry')).toBeNull();
  });

  it.each([
    ['a key that nobody knows', { apiKey: 'wrong' }, {}, OpenAI.AuthenticationError],
    ['a key of another scope', { apiKey: ADMIN_KEY }, {}, OpenAI.PermissionDeniedError],
    ['a model that is not there', {}, { model: 'openai/nope' }, OpenAI.NotFoundError],
    ['a body that is wrong', {}, { temperature: 3 }, OpenAI.BadRequestError],
  ])('throws its own error for %s', async (_, options, fields, kind) => {
    const before = upstream.received.length;
    const body = { model, messages, ...fields };
    const thrown = await thrownBy(kind, client(options).chat.completions.create(body));
    expect(thrown.requestID).toMatch(/^req_/);
    expect(upstream.received.length).toBe(before);
  });

  it.each([
    [
      'the provider reports',
      ['data: {"error":{"message":"Busy","code":"overloaded"}}\n\n'],
      'Busy',
    ],
    ['the connection makes', [], 'broken'],
  ])('throws inside a stream for an error that %s', async (_, last, words) => {
    upstream.streams([SAYS_HI[0], ...last].join(''));
    const stream = await client().chat.completions.create({ model, messages, stream: true });
    const chunks = stream[Symbol.asyncIterator]();
    expect((await chunks.next()).value?.choices).toHaveLength(1);
    const thrown = await thrownBy(OpenAI.APIError, chunks.next());
    expect(thrown.message).toContain(words);
  });

  it.each([
    [429, { 'retry-after': '1' }, 950],
    [503, {}, 0],
  ])('is tried again by the SDK after %i', async (status, headers, least) => {
    const times = upstream.refusesOnce(status, headers, answer);
    const calls = client({ maxRetries: 2 }).chat.completions;
    expect((await calls.create({ model, messages })).model).toBe(model);
    expect(times).toHaveLength(2);
    expect(times[1]! - times[0]!).toBeGreaterThan(least);
  });

  it.each([
    [500, 4],
    [429, 4],
    [400, 2],
  ])('after %i and a fallback without money makes %i calls', async (status, calls) => {
    const before = upstream.received.length;
    upstream.answers((response, { path }) => {
      const isFallback = path.startsWith('/anthropic');
      const error = { message: 'No', ...(isFallback && { code: 'insufficient_quota' }) };
      response.writeHead(isFallback ? 429 : status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error }));
    });
    const more: object = { fallbacks: ['anthropic/claude-haiku-4-5'] };
    const asked = client({ maxRetries: 1 }).chat.completions.create({ model, messages, ...more });
    const thrown = await thrownBy(OpenAI.RateLimitError, asked);
    expect(upstream.received.length - before).toBe(calls);
    expect(thrown.headers?.get('x-should-retry')).toBe(calls > 2 ? null : 'false');
  });

  it('cancels the provider’s stream when the caller’s is aborted', async () => {
    const opened = upstream.opens(SAYS_HI[0]!);
    const stream = await client().chat.completions.create({ model, messages, stream: true });
    const closed = once(await opened, 'close');
    for await (const each of stream) if (each.choices.length > 0) stream.controller.abort();
    await closed;
    expect((await opened).writableFinished).toBe(false);
  });
});

describe("OpenAI's SDK and the gateway's own limit", () => {
  const gateway = useGateway({ RATE_LIMIT: '1/s' });

  it('waits as long as it is told', async () => {
    const models = openaiAt(gateway.url).models;
    await models.list();
    const thrown = await thrownBy(OpenAI.RateLimitError, models.list());
    expect(thrown.headers?.get('retry-after')).toBe('1');
    await openaiAt(gateway.url, { maxRetries: 1 }).models.list();
  });
});

function embeddings(vectors: readonly (readonly number[])[], format: string): object {
  const encoded = (vector: readonly number[]) =>
    Buffer.from(new Float32Array(vector).buffer).toString('base64');
  return {
    object: 'list',
    data: vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: format === 'base64' ? encoded(vector) : vector,
    })),
    model: 'text-embedding-3-small',
    usage: { prompt_tokens: 4, total_tokens: 4 },
  };
}
