import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { messageEvent } from './support/provider-answers.js';
import { allOf, anthropicAt, thrownBy } from './support/sdk-clients.js';
import { useGateway } from './support/use-gateway.js';

const model = 'anthropic/claude-sonnet-4-5';
const messages = [{ role: 'user' as const, content: 'Hello' }];
const body = { model, messages, max_tokens: 100 };
const usage = { input_tokens: 1000, output_tokens: 500 };
const cost = 1000 * 0.000_003 + 500 * 0.000_015;
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
};
const called = { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Rome' } };
const tools = [
  {
    name: 'weather',
    input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
  },
];

const START = messageEvent('message_start', {
  message: {
    ...answer,
    content: [],
    stop_reason: null,
    usage: { input_tokens: 1000, output_tokens: 1 },
  },
});
const block = (start: object, ...deltas: object[]) => [
  messageEvent('content_block_start', { index: 0, content_block: start }),
  ...deltas.map((delta) => messageEvent('content_block_delta', { index: 0, delta })),
  messageEvent('content_block_stop', { index: 0 }),
];
const TEXT = block(
  { type: 'text', text: '' },
  { type: 'text_delta', text: 'H' },
  { type: 'text_delta', text: 'i' },
);
const TOOL = block(
  { ...called, input: {} },
  { type: 'input_json_delta', partial_json: '{"city"' },
  { type: 'input_json_delta', partial_json: ':"Rome"}' },
);
const end = (stop_reason: string) => [
  messageEvent('message_delta', {
    delta: { stop_reason, stop_sequence: null },
    usage: { output_tokens: 500 },
  }),
  messageEvent('message_stop'),
];

describe("Anthropic's SDK and a provider", () => {
  const gateway = useGateway();
  const { upstream } = gateway;
  const client = (options: ClientOptions = {}) => anthropicAt(gateway.url, options);

  it('reads a message, its cost and its request id', async () => {
    upstream.replies(200, answer);
    const call = client().messages.create(body);
    const { data, request_id: requestId, response } = await call.withResponse();
    expect(data).toMatchObject({ ...answer, model, cost, provider: 'anthropic' });
    expect(requestId).toMatch(/^req_/);
    expect(requestId).toBe(response.headers.get('x-request-id'));
    expect(upstream.last.body).toEqual({ ...body, model: 'claude-sonnet-4-5' });
    expect(upstream.last.headers).toMatchObject({
      'x-api-key': 'upstream-anthropic-key',
      'anthropic-version': '2026-10-21',
    });
  });

  it.each([
    ['apiKey', { apiKey: API_KEY }],
    ['authToken', { apiKey: null, authToken: API_KEY }],
    [
      'the x-api-key header of older versions',
      { defaultHeaders: { authorization: null, 'x-api-key': API_KEY } },
    ],
  ])('is let in with %s', async (_, options) => {
    upstream.replies(200, answer);
    expect((await client(options).messages.create(body)).content).toEqual(answer.content);
    expect(upstream.last.headers.authorization).toBeUndefined();
  });

  it('assembles a streamed message', async () => {
    upstream.streams(START, ...TEXT, messageEvent('ping'), ...end('end_turn'));
    const stream = client().messages.stream(body);
    const texts: string[] = [];
    stream.on('text', (text) => texts.push(text));
    expect(await stream.finalMessage()).toMatchObject({ ...answer, model });
    expect(texts).toEqual(['H', 'i']);
    expect(upstream.last.body.stream).toBe(true);
  });

  it('puts the cost into the last message_delta', async () => {
    upstream.streams(START, ...TEXT, ...end('end_turn'));
    const events = await allOf(await client().messages.create({ ...body, stream: true }));
    const last = events.findLast(({ type }) => type === 'message_delta');
    expect(last).toMatchObject({ usage: { output_tokens: 500, cost, provider: 'anthropic' } });
  });

  it.each(['plain', 'streamed'])('reads a %s tool call', async (way) => {
    if (way === 'plain') {
      upstream.replies(200, { ...answer, content: [called], stop_reason: 'tool_use' });
    } else upstream.streams(START, ...TOOL, ...end('tool_use'));
    const { messages: calls } = client();
    const message = await (way === 'plain'
      ? calls.create({ ...body, tools })
      : calls.stream({ ...body, tools }).finalMessage());
    expect(message).toMatchObject({ content: [called], stop_reason: 'tool_use' });
    expect(upstream.last.body.tools).toEqual(tools);
  });

  it('sends the beta form on, with its headers', async () => {
    upstream.replies(200, answer);
    const betas = ['one-2026', 'two-2026'];
    const options = { query: { beta: 'true' } };
    const message = await client().beta.messages.create({ ...body, betas }, options);
    expect(message).toMatchObject({ content: answer.content, model });
    expect(upstream.last.headers['anthropic-beta']).toMatch(/^one-2026,\s*two-2026$/);
    upstream.streams(START, ...TEXT, ...end('end_turn'));
    const streamed = await client()
      .beta.messages.stream({ ...body, betas }, options)
      .finalMessage();
    expect(streamed).toMatchObject({ content: answer.content, model });
  });

  it('counts tokens', async () => {
    upstream.replies(200, { input_tokens: 42 });
    expect(await client().messages.countTokens({ model, messages })).toMatchObject({
      input_tokens: 42,
    });
    expect(upstream.last.path).toBe('/anthropic/v1/messages/count_tokens');
  });

  it('lists models page by page and finds one', async () => {
    const whole = await client().models.list({ limit: 1000 });
    const ids = whole.data.map(({ id }) => id);
    expect(ids).toContain(model);
    const first = await client().models.list({ limit: 3 });
    expect([first.data.length, first.has_more]).toEqual([3, true]);
    const paged = await allOf(client().models.list({ limit: 3 }));
    expect(paged.map(({ id }) => id)).toEqual(ids);
    expect(await client().models.retrieve(model)).toMatchObject({ id: model, type: 'model' });
    await thrownBy(Anthropic.NotFoundError, client().models.retrieve('anthropic/nope'));
  });

  it.each([
    [400, Anthropic.BadRequestError, 400, 'invalid_request_error'],
    [404, Anthropic.NotFoundError, 404, 'not_found_error'],
    [413, Anthropic.ContentTooLargeError, 413, 'request_too_large'],
    [422, Anthropic.BadRequestError, 400, 'invalid_request_error'],
    [429, Anthropic.RateLimitError, 429, 'rate_limit_error'],
    [401, Anthropic.InternalServerError, 502, 'api_error'],
    [403, Anthropic.InternalServerError, 502, 'api_error'],
    [500, Anthropic.InternalServerError, 502, 'api_error'],
    [504, Anthropic.GatewayTimeoutError, 504, 'timeout_error'],
    [529, Anthropic.OverloadedError, 529, 'overloaded_error'],
  ])('throws its own error for the provider’s %i', async (given, kind, status, type) => {
    upstream.replies(given, { type: 'error', error: { type: 'x', message: 'said' } });
    const thrown = await thrownBy(kind, client().messages.create(body));
    expect(thrown).toMatchObject({ status, type, requestID: expect.stringMatching(/^req_/) });
    expect(thrown.error).toMatchObject({ request_id: thrown.requestID });
    expect(thrown.message.includes('said')).toBe(status < 500);
    // Whether to try again is for the SDK to see from the status.
    expect(thrown.headers?.get('x-should-retry')).toBeNull();
  });

  it.each([
    ['a key that nobody knows', { apiKey: 'wrong' }, {}, Anthropic.AuthenticationError],
    ['a key of another scope', { apiKey: ADMIN_KEY }, {}, Anthropic.PermissionDeniedError],
    ['a model that is not there', {}, { model: 'anthropic/nope' }, Anthropic.NotFoundError],
    ['an image model', {}, { model: 'openai/dall-e-3' }, Anthropic.BadRequestError],
    ['a body that is wrong', {}, { temperature: 3 }, Anthropic.UnprocessableEntityError],
  ])('throws its own error for %s', async (_, options, fields, kind) => {
    const before = upstream.received.length;
    const call = client(options).messages.create({ ...body, ...fields });
    const thrown = await thrownBy(kind, call);
    expect(thrown.requestID).toMatch(/^req_/);
    expect(upstream.received.length).toBe(before);
  });

  it.each([
    [
      'the provider reports',
      [messageEvent('error', { error: { type: 'overloaded_error', message: 'Busy' } })],
      'overloaded_error',
    ],
    ['the connection makes', [], 'api_error'],
  ])('throws inside a stream for an error that %s', async (_, last, type) => {
    upstream.streams([START, ...TEXT, ...last].join(''));
    const stream = client().messages.stream(body);
    const texts: string[] = [];
    stream.on('text', (text) => texts.push(text));
    expect(await thrownBy(Anthropic.APIError, stream.finalMessage())).toMatchObject({ type });
    expect(texts).toEqual(['H', 'i']);
  });

  it.each([
    [429, { 'retry-after': '1' }, 950],
    [529, {}, 0],
  ])('is tried again by the SDK after %i', async (status, headers, least) => {
    const times = upstream.refusesOnce(status, headers, answer);
    expect((await client({ maxRetries: 2 }).messages.create(body)).model).toBe(model);
    expect(times).toHaveLength(2);
    expect(times[1]! - times[0]!).toBeGreaterThan(least);
  });

  it.each([
    [404, 'thread_not_found'],
    [409, 'thread_already_continued'],
    [409, 'thread_continue_in_flight'],
  ])('begins a thread anew after %i %s, whatever fallbacks follow', async (status, error_code) => {
    const error = { type: 'invalid_request_error', message: 'No', details: { error_code } };
    upstream.answers((response, { body: { thread } }) => {
      const [code, told] =
        thread?.type === 'continue' ? [status, { type: 'error', error }] : [200, answer];
      response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(told));
    });
    const more: object = { fallbacks: ['openai/gpt-4o-mini', 'anthropic/claude-haiku-4-5'] };
    const thread = client().beta.messages.thread({ model, max_tokens: 100, ...more });
    await thread.send({ role: 'user', content: 'Hello' });
    const before = upstream.received.length;
    expect(await thread.send({ role: 'user', content: 'And now?' })).toMatchObject({ model });
    const sent = upstream.received.slice(before).map(({ body }) => body);
    expect(sent.map(({ thread: { type }, messages: { length } }) => [type, length])).toEqual([
      ['continue', 1],
      ['create', 3],
    ]);
  });

  it('cancels the provider’s stream when the caller’s is aborted', async () => {
    const opened = upstream.opens(START);
    const stream = await client().messages.create({ ...body, stream: true });
    const closed = once(await opened, 'close');
    for await (const { type } of stream) if (type === 'message_start') stream.controller.abort();
    await closed;
    expect((await opened).writableFinished).toBe(false);
  });
});
