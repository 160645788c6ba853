import { describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { API_KEY } from './support/gateway.js';
import { useGateway } from './support/use-gateway.js';

const PATH = '/v3/v1/messages';
const model = 'anthropic/claude-sonnet-4-5';
const OTHER = 'anthropic/claude-haiku-4-5';
const messages = [{ role: 'user', content: 'Hello' }];
const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5-20250929',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'pause_turn',
  stop_sequence: null,
  usage: { input_tokens: 1000, output_tokens: 500, service_tier: 'standard' },
};
const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const START = event({
  type: 'message_start',
  message: { ...answer, content: [], usage: { input_tokens: 1000, output_tokens: 1 } },
} as never);
const TEXT = event({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: 'Hi' },
} as never);
const DELTA = event({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  usage: { output_tokens: 500 },
} as never);
const STOP = event({ type: 'message_stop' });

const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('event:'))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)));

describe('POST /v3/v1/messages', () => {
  const gateway = useGateway({
    STREAM_PING_MS: '100',
    UPSTREAM_IDLE_TIMEOUT_MS: '1000',
    // Shorter than the upstream asks to be left alone.
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '5000',
  });
  const { upstream, post } = gateway;

  it('relays the caller’s bytes and adds cost, provider and the full model id', async () => {
    upstream.replies(200, answer);
    const body =
      `{"model":"${model}", "messages":[{"role":"user","content":"Hello"}],"max_tokens":"7",` +
      `"big":12345678901234567890,"__proto__":{"a":1},"temperature":null,"fallbacks":null}`;
    const reply = await post(PATH, body)
      .set('anthropic-beta', 'one-2025,two-2026')
      .set('anthropic-version', '2026-10-21')
      .expect(200);

    expect(reply.body).toEqual({
      ...answer,
      model,
      cost: 1000 * 0.000003 + 500 * 0.000015,
      provider: 'anthropic',
    });
    expect(upstream.last.path).toBe('/anthropic/v1/messages');
    expect(upstream.last.text).toBe(
      `{"model":"claude-sonnet-4-5","messages":[{"role":"user","content":"Hello"}],"max_tokens":7,` +
        `"big":12345678901234567890,"__proto__":{"a":1}}`,
    );
    expect(upstream.last.headers).toMatchObject({
      'x-api-key': 'upstream-anthropic-key',
      'anthropic-beta': 'one-2025,two-2026',
      'anthropic-version': '2026-10-21',
    });
    expect(upstream.last.headers.authorization).toBeUndefined();
    expect(reply.headers).toMatchObject({
      'x-causeway-provider': 'anthropic',
      'x-causeway-model': model,
      'x-causeway-cost': '0.0105',
      'x-causeway-attempts': `${model}:ok`,
    });
    expect(reply.headers['request-id']).toBe(reply.headers['x-request-id']);
  });

  it('sends 1024 where max_tokens is missing and the oldest version where none is named', async () => {
    upstream.replies(200, answer);
    await post(PATH, { model, messages, max_tokens: null }).expect(200);
    expect(upstream.last.body.max_tokens).toBe(1024);
    expect(upstream.last.headers['anthropic-version']).toBe('2023-06-01');
  });

  it('accepts x-api-key', async () => {
    upstream.replies(200, answer);
    const reply = await post(PATH, { model, messages })
      .unset('authorization')
      .set('x-api-key', API_KEY);
    expect(reply.status).toBe(200);
  });

  it('passes extra_headers to the model’s own provider and nowhere else', async () => {
    upstream.replies(200, answer);
    await post(PATH, { model, messages, extra_headers: { 'X-Team': 'blue' } }).expect(200);
    expect(upstream.last.headers['x-team']).toBe('blue');
    expect(upstream.last.body).not.toHaveProperty('extra_headers');
    await post(PATH, { model, messages, extra_headers: { Authorization: 'x' } }).expect(400);
  });

  it.each([
    ['a fallback of another one', { model: 'openai/gpt-4o-mini', fallbacks: [model] }],
    ['what the router chooses', { model: '@router', router_candidates: [model] }],
  ])('passes no extra_headers to %s', async (_, choice) => {
    upstream.answers((response, { path }) => {
      response.writeHead(path.startsWith('/openai') ? 400 : 200).end(JSON.stringify(answer));
    });
    await post(PATH, { ...choice, messages, extra_headers: { 'X-Team': 'blue' } }).expect(200);
    expect(upstream.last.path).toBe('/anthropic/v1/messages');
    expect(upstream.last.headers).not.toHaveProperty('x-team');
  });

  it('streams events as they come, cost in the last message_delta', async () => {
    upstream.streams(START, TEXT, 'event: ping\ndata: {"type":"ping"}\n\n', DELTA, STOP);
    const reply = await post(PATH, { model, messages, stream: true }).expect(200);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    });
    expect(reply.text).toContain(TEXT);
    const events = eventsOf(reply.text);
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_delta',
      'ping',
      'message_delta',
      'message_stop',
    ]);
    expect(events[0].message.model).toBe(model);
    expect(events[3].usage).toEqual({ output_tokens: 500, cost: 0.0105, provider: 'anthropic' });
  });

  it('gives the same stream when it arrives byte by byte', async () => {
    const bytes = Buffer.from(START + TEXT + DELTA + STOP);
    upstream.streams(bytes);
    const whole = await post(PATH, { model, messages, stream: true });
    upstream.streams(...Array.from(bytes, (byte) => Buffer.from([byte])));
    const split = await post(PATH, { model, messages, stream: true });
    expect(withoutPings(split.text)).toBe(withoutPings(whole.text));
  });

  it('pings in silence', async () => {
    upstream.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(START);
      await new Promise((later) => setTimeout(later, 350));
      response.end(DELTA + STOP);
    });
    const { text } = await post(PATH, { model, messages, stream: true });
    expect(eventsOf(text).filter(({ type }) => type === 'ping').length).toBeGreaterThanOrEqual(2);
  });

  it.each([
    ['ends without message_stop', [START, TEXT]],
    ['breaks off inside an event', [START, TEXT, 'event: content_block_delta\ndata: {"ty']],
  ])('ends a stream that %s in an error event', async (_, pieces) => {
    upstream.streams(...pieces);
    const { text, status } = await post(PATH, { model, messages, stream: true });
    expect(status).toBe(200);
    const events = eventsOf(text);
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    expect(events.map(({ type }) => type)).not.toContain('message_stop');
  });

  it('ends a stream that falls silent in an error event', async () => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(START);
    });
    const { text } = await post(PATH, { model, messages, stream: true });
    expect(eventsOf(text).at(-1)).toMatchObject({
      type: 'error',
      error: { type: 'timeout_error' },
    });
  });

  it('answers a stream that never begins with an ordinary error', async () => {
    upstream.streams();
    const empty = await post(PATH, { model, messages, stream: true }).expect(502);
    expect(empty.body).toMatchObject({ type: 'error', error: { type: 'api_error' } });
    upstream.streams(
      event({ type: 'error', error: { type: 'overloaded_error', message: 'x' } } as never),
    );
    await post(PATH, { model, messages, stream: true }).expect(529);
    upstream.replies(200, { type: 'error', error: { type: 'overloaded_error', message: 'x' } });
    await post(PATH, { model, messages, stream: true }).expect(529);
    await post(PATH, { model, messages }).expect(529);
  });

  it.each([
    [400, 400, 'invalid_request_error', 'said'],
    [401, 502, 'api_error', undefined],
    [403, 502, 'api_error', undefined],
    [404, 404, 'not_found_error', 'said'],
    [413, 413, 'request_too_large', 'said'],
    [422, 400, 'invalid_request_error', 'said'],
    [429, 429, 'rate_limit_error', 'said'],
    [500, 502, 'api_error', undefined],
    [503, 502, 'api_error', undefined],
    [504, 504, 'timeout_error', undefined],
    [529, 529, 'overloaded_error', undefined],
    [301, 502, 'api_error', undefined],
  ])('maps an upstream %i to %i %s', async (status, want, type, message) => {
    upstream.replies(
      status,
      { type: 'error', error: { type: 'x', message: 'said' } },
      {
        'retry-after': '7',
        location: 'http://127.0.0.1:1/',
      },
    );
    const reply = await post(PATH, { model, messages }).expect(want);
    expect(reply.body.error.type).toBe(type);
    expect(reply.body.request_id).toBe(reply.headers['request-id']);
    if (message) expect(reply.body.error.message).toBe(message);
    else expect(reply.body.error.message).not.toContain('said');
    if (want === 429) expect(reply.headers['retry-after']).toBe('7');
  });

  it('tries the fallbacks in their order and names the one that served', async () => {
    const seen: string[] = [];
    upstream.answers((response, { body }) => {
      seen.push(body.model);
      response.writeHead(body.model === 'claude-haiku-4-5' ? 200 : 529, {
        'content-type': 'application/json',
      });
      response.end(JSON.stringify(body.model === 'claude-haiku-4-5' ? answer : {}));
    });
    const fallbacks = [model, 'anthropic/claude-haiku-4-5'];
    const reply = await post(PATH, { model, messages, fallbacks }).expect(200);
    expect(seen).toEqual(['claude-sonnet-4-5', 'claude-sonnet-4-5', 'claude-haiku-4-5']);
    expect(reply.body.model).toBe('anthropic/claude-haiku-4-5');
    expect(reply.headers['x-causeway-attempts']).toBe(
      `${model}:529, ${model}:529, anthropic/claude-haiku-4-5:ok`,
    );
  });

  it.each([
    ['again behind another one', [OTHER, model], [model, OTHER, model]],
    ['twice', [model], [model, model]],
  ])(
    'tells of a model that is in the plan %s that it was a fallback',
    async (_, fallbacks, tried) => {
      let left = 0;
      upstream.answers((response, { body }) => {
        left -= 1;
        const type = body.stream === true ? 'text/event-stream' : 'application/json';
        response.writeHead(left > 0 ? 500 : 200, { 'content-type': type });
        if (left > 0) response.end('{}');
        else
          response.end(body.stream === true ? START + TEXT + DELTA + STOP : JSON.stringify(answer));
      });
      const ask = (more: object) => {
        left = tried.length;
        const body = { model, messages, fallbacks, ...more };
        return post(PATH, body).set('x-causeway-metadata', 'enabled').expect(200);
      };
      const attempts = tried.map((one) => ({ model: one }));
      const told = { requested: model, strategy: 'fallback', attempts };
      expect((await ask({})).body.causeway_metadata).toMatchObject(told);
      const [first] = eventsOf((await ask({ stream: true })).text);
      expect(first.causeway_metadata).toMatchObject(told);
    },
  );

  it('tells a caller who asks which models were tried, whole and streamed', async () => {
    const ask = (body: object) => post(PATH, body).set('x-causeway-metadata', 'enabled');
    upstream.replies(200, answer);
    const whole = await ask({ model, messages }).expect(200);
    const tried = { model, provider: 'anthropic', status: 200, ms: expect.any(Number) };
    const metadata = { requested: model, strategy: 'direct', attempts: [tried] };
    expect(whole.body.causeway_metadata).toEqual(metadata);
    upstream.streams(START, TEXT, DELTA, STOP);
    const streamed = await ask({ model, messages, stream: true }).expect(200);
    expect(eventsOf(streamed.text)[0].causeway_metadata).toEqual(metadata);
    // More than are held back of what nobody knows, and no objects.
    upstream.streams(...Array<string>(5).fill('event: x\ndata: [1]\n\n'), START, TEXT, DELTA, STOP);
    const odd = await ask({ model, messages, stream: true }).expect(200);
    expect(odd.text.match(/"causeway_metadata"/g)).toHaveLength(1);
    expect((await post(PATH, { model, messages, stream: true })).text).not.toContain('metadata');
  });

  it.each([
    [{ model: 'anthropic/nope', messages }, 404, 'not_found_error'],
    [{ model, messages, fallbacks: ['anthropic/nope'] }, 404, 'not_found_error'],
    [{ model, messages, fallbacks: ['@router'] }, 400, 'invalid_request_error'],
    [{ model: '@router', messages, router_candidates: [] }, 400, 'invalid_request_error'],
    [{ model: 'claude', messages }, 400, 'invalid_request_error'],
    [{ model: 'openai/gpt-image-1', messages }, 400, 'invalid_request_error'],
  ])('refuses %j with %i before any call', async (body, status, type) => {
    const before = upstream.received.length;
    const reply = await post(PATH, body).expect(status);
    expect(reply.body.error.type).toBe(type);
    expect(upstream.received.length).toBe(before);
  });

  it('cancels the upstream call of a caller who hangs up', async () => {
    let closed!: () => void;
    const gone = new Promise<void>((resolve) => (closed = resolve));
    upstream.answers((response) => {
      response.once('close', closed);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(START);
    });
    const body = JSON.stringify({ model, messages, stream: true });
    const caller = httpRequest(`${gateway.url}${PATH}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    });
    caller.on('error', () => undefined);
    caller.end(body);
    caller.once('response', (response) => {
      response.once('data', () => caller.destroy());
      response.on('error', () => undefined);
    });
    await gone;
    expect(upstream.aborted).toBeGreaterThan(0);
  });

  it('counts tokens at the provider, and by estimate for the others', async () => {
    upstream.replies(200, { input_tokens: 42 });
    const counted = await post(`${PATH}/count_tokens`, { model, messages }).expect(200);
    expect(counted.body).toEqual({ input_tokens: 42 });
    expect(upstream.last.body).toEqual({ model: 'claude-sonnet-4-5', messages });
    const estimated = await post(`${PATH}/count_tokens`, { model: 'openai/gpt-4o', messages });
    expect(estimated.headers['x-causeway-estimated']).toBe('true');
    expect(estimated.body.input_tokens).toBeGreaterThan(0);
  });
});

/** A busy machine may leave a pause between two pieces that is long enough for a ping. */
function withoutPings(text: string): string {
  return text.replaceAll('event: ping\ndata: {"type":"ping"}\n\n', '');
}
