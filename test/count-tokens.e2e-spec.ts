import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from './support/fake-upstream.js';
import { MESSAGE } from './support/provider-answers.js';
import { useGateway } from './support/use-gateway.js';
import { workedMs } from './support/worked-ms.js';

const PATH = '/v3/v1/messages/count_tokens';
const ask = (model: string, more: object = {}) => ({
  model,
  messages: [{ role: 'user', content: 'Hello world' }],
  ...more,
});
const NATIVE = 'anthropic/claude-sonnet-4-5';

describe('POST /v3/v1/messages/count_tokens', () => {
  const clouds = new FakeUpstream();
  const env: Record<string, string> = {
    GOOGLE_API_KEY: 'google-key',
    VERTEX_API_KEY: 'vertex-token',
    VERTEX_PROJECT: 'proj',
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '500',
  };
  beforeAll(async () => {
    await clouds.listen();
    env.GOOGLE_BASE_URL = clouds.url;
    env.VERTEX_BASE_URL = clouds.url;
  });
  afterAll(() => clouds.close());
  const { upstream, post } = useGateway(env);

  const counted = async (model: string, more?: object) => {
    const { headers, body } = await post(PATH, ask(model, more)).expect(200);
    return { estimated: headers['x-causeway-estimated'], tokens: body.input_tokens as number };
  };

  it('lets Anthropic count, in the caller’s own bytes', async () => {
    upstream.replies(200, { input_tokens: 14 });
    expect(await counted(NATIVE, { x: 1 })).toEqual({ estimated: undefined, tokens: 14 });
    expect(upstream.last.body).toEqual({ ...ask('claude-sonnet-4-5'), x: 1 });
  });

  it.each([
    [{ fallbacks: 'x' }, 'list_type'],
    [{ fallbacks: {} }, 'list_type'],
    [{ fallbacks: [1] }, 'string_type'],
    [{ fallbacks: Array.from({ length: 4 }, () => NATIVE) }, 'too_long'],
    [{ router_candidates: 'x' }, 'list_type'],
    [{ routing: 5 }, 'model_attributes_type'],
    [{ session_id: 5 }, 'string_type'],
  ])('refuses %j as a Messages request does', async (more, type) => {
    const { body } = await post(PATH, ask(NATIVE, more)).expect(422);
    expect(body.detail[0]).toMatchObject({ type });
    const whole = await post('/v3/v1/messages', ask(NATIVE, more)).expect(422);
    expect(whole.body.detail).toEqual(body.detail);
  });

  it('counts with the model that the router would choose at this dial', async () => {
    const router_candidates = ['anthropic/claude-opus-4-5', 'anthropic/claude-haiku-4-5'];
    const asked = [];
    for (const quality_cost of [0, 10, '0']) {
      upstream.replies(200, { input_tokens: 14 });
      await counted('@router', { router_candidates, routing: { quality_cost } });
      asked.push(upstream.last.body.model);
    }
    expect(asked).toEqual(['claude-opus-4-5', 'claude-haiku-4-5', 'claude-opus-4-5']);
  });

  it('counts with the model that the conversation is with', async () => {
    const router_candidates = ['anthropic/claude-opus-4-5', 'anthropic/claude-haiku-4-5'];
    const conversation = { router_candidates, session_id: 'counted', max_tokens: 9 };
    const dial = (quality_cost: number) => ({ ...conversation, routing: { quality_cost } });
    upstream.replies(200, { ...MESSAGE, usage: { input_tokens: 1, output_tokens: 1 } });
    const begun = await post('/v3/v1/messages', ask('@router', dial(0))).expect(200);
    expect(begun.body.model).toBe('anthropic/claude-opus-4-5');
    upstream.replies(200, { input_tokens: 14 });
    await counted('@router', dial(10));
    expect(upstream.last.body.model).toBe('claude-opus-4-5');
  });

  it('goes on to the next model where the first one refuses, and keeps a refusal without one', async () => {
    const asked: string[] = [];
    upstream.answers((response, { body }) => {
      asked.push(body.model);
      const isRefused = body.model === 'claude-sonnet-4-5';
      response.writeHead(isRefused ? 404 : 200, { 'content-type': 'application/json' });
      const error = { type: 'not_found_error', message: 'model: none' };
      response.end(JSON.stringify(isRefused ? { type: 'error', error } : { input_tokens: 14 }));
    });
    const fallbacks = ['anthropic/claude-haiku-4-5'];
    expect(await counted(NATIVE, { fallbacks })).toEqual({ estimated: undefined, tokens: 14 });
    expect(asked).toEqual(['claude-sonnet-4-5', 'claude-haiku-4-5']);
    await post(PATH, ask(NATIVE)).expect(404);
  });

  it('tells how long it is although no model can take so much', async () => {
    const content = 'word '.repeat(300_000);
    const router_candidates = ['anthropic/claude-haiku-4-5'];
    const messages = [{ role: 'user', content }];
    await post('/v3/v1/messages', ask('@router', { messages, router_candidates })).expect(400);
    const { estimated, tokens } = await counted('@router', { messages, router_candidates });
    expect([estimated, tokens > 250_000]).toEqual(['true', true]);
  });

  it('lets Anthropic count without the thinking of others', async () => {
    upstream.replies(200, { input_tokens: 14 });
    const text = { type: 'text', text: 'Hi' };
    const foreign = { type: 'thinking', thinking: 'x', signature: '' };
    await counted(NATIVE, { messages: [{ role: 'assistant', content: [foreign, text] }] });
    expect(upstream.last.body.messages).toEqual([{ role: 'assistant', content: [text] }]);
  });

  it('lets Gemini count in its own format', async () => {
    clouds.replies(200, { totalTokens: 7 });
    expect(await counted('google/gemini-2.5-pro')).toEqual({ estimated: undefined, tokens: 7 });
    expect(clouds.last.path).toBe('/v1beta/models/gemini-2.5-pro:countTokens');
    await counted('vertex/gemini-2.5-pro');
    expect(clouds.last.path).toMatch(/^\/v1\/projects\/proj\/locations\/global\/.*:countTokens$/);
  });

  it('lets Vertex count for Claude', async () => {
    clouds.replies(200, { input_tokens: 9 });
    expect(await counted('vertex/claude-opus-5')).toEqual({ estimated: undefined, tokens: 9 });
    expect(clouds.last.path).toContain('/publishers/anthropic/models/count-tokens:rawPredict');
    expect(clouds.last.body).toMatchObject({
      model: 'claude-opus-5',
      anthropic_version: 'vertex-2023-10-16',
    });
  });

  it('counts itself where nobody else does, and says so', async () => {
    upstream.received.length = 0;
    expect(await counted('openai/gpt-4o')).toEqual({ estimated: 'true', tokens: 6 });
    expect(upstream.received).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['has no such endpoint', () => upstream.replies(404, { detail: 'Not Found' })],
    ['knows no such method', () => upstream.replies(405, {})],
    ['is down', () => upstream.replies(503, { error: { message: 'down' } })],
    ['is overloaded', () => upstream.replies(529, {})],
    ['answers nonsense', () => upstream.replies(200, { tokens: 3 })],
    ['hangs up', () => upstream.answers((response) => void response.destroy())],
    ['does not answer', () => upstream.answers(() => undefined)],
  ])('counts itself where the provider %s', async (_, act) => {
    act();
    expect(await counted(NATIVE)).toEqual({ estimated: 'true', tokens: 6 });
  });

  it.each(['google/gemini-2.5-pro', 'vertex/gemini-2.5-pro'])(
    'counts itself where an answer for %s is an error',
    async (model) => {
      clouds.replies(200, { error: { code: 503, message: 'down', status: 'UNAVAILABLE' } });
      expect(await counted(model)).toEqual({ estimated: 'true', tokens: 6 });
    },
  );

  it.each([
    [400, 400, 'messages: at least one message is required'],
    [404, 404, 'model: claude-sonnet-4-5'],
    [413, 413, 'too large'],
    [429, 429, 'slow down'],
    [401, 502, 'The provider anthropic failed with status 401.'],
  ])('passes on a refusal with status %d', async (status, wanted, message) => {
    upstream.replies(status, { type: 'error', error: { type: 'x', message } });
    const { body } = await post(PATH, ask(NATIVE)).expect(wanted);
    expect(body.error.message).toBe(message);
  });

  it('takes long hostile text in its stride, and others meanwhile', async () => {
    const content = 'a'.repeat(10_000_000);
    const ms = await workedMs(async () => {
      const long = post(PATH, ask('openai/gpt-4o', { messages: [{ role: 'user', content }] }));
      const [{ body }] = await Promise.all([long.expect(200), counted('openai/gpt-4o')]);
      expect(body.input_tokens).toBeGreaterThan(500_000);
    });
    expect(ms).toBeLessThan(2_000);
  });
});
