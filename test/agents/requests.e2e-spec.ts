import { describe, expect, it } from '@jest/globals';
import supertest from 'supertest';
import { API_KEY } from '../support/gateway.js';
import { MODELS, useScriptedGateway } from '../support/scripted-upstream.js';

const PATH = '/v3/v1/messages?beta=true';
const { anthropic: CLAUDE, ...OTHERS } = MODELS;
const others = Object.entries(OTHERS);
const ATTRIBUTION = 'x-anthropic-billing-header: cc_version=2.1.0.abc; cch=1f2e3;';
const BETAS =
  'claude-code-20250219,context-management-2025-06-27,advanced-tool-use-2025-11-20,effort-2025-11-24';

/** The fields of a request of Claude Code for a model whose name it does not know. */
const request = (model: string, more: object = {}) => ({
  model,
  max_tokens: 32_000,
  stream: true,
  system: [
    { type: 'text', text: ATTRIBUTION },
    { type: 'text', text: 'You are an agent.', cache_control: { type: 'ephemeral' } },
    { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
  ],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
  tools: [
    {
      name: 'Write',
      description: 'Writes a file',
      input_schema: { type: 'object', properties: { path: { type: 'string' } } },
      cache_control: { type: 'ephemeral' },
    },
    {
      name: 'Later',
      description: 'Loaded later',
      input_schema: { type: 'object', properties: {} },
      defer_loading: true,
    },
  ],
  thinking: { type: 'adaptive' },
  output_config: { effort: 'high' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  metadata: { user_id: '{"device_id":"d","session_id":"s"}' },
  ...more,
});

const eventsOf = (text: string) =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('event:'))
    .map((frame) => JSON.parse(frame.slice(frame.indexOf('data: ') + 6)));

describe('what coding agents need of the Messages surface', () => {
  const gateway = useScriptedGateway({ STREAM_PING_MS: '50' });
  const { scripted, upstream, post, streamedAfter } = gateway;

  it('1. finds the route whatever the query says, and refuses the probe in plain words', async () => {
    scripted.plays([{ text: 'Hi' }]);
    for (const query of ['?beta=true', '?beta=true&x=%2Fy', '?']) {
      await post(`/v3/v1/messages${query}`, request(CLAUDE)).expect(200);
      expect(upstream.last.path).toBe('/anthropic/v1/messages');
    }
    await supertest(gateway.url).head('/v3/api/hello').expect(404);
  });

  it.each([
    ['a bearer token', { authorization: `Bearer ${API_KEY}` }],
    ['x-api-key', { 'x-api-key': API_KEY }],
    ['both at once', { authorization: `Bearer ${API_KEY}`, 'x-api-key': API_KEY }],
  ])('2. lets in %s, and keeps the key here', async (_, headers) => {
    scripted.plays([{ text: 'Hi' }]);
    const call = supertest(gateway.url).post(PATH).set(headers);
    await call.send(request(CLAUDE)).expect(200);
    expect(JSON.stringify(upstream.last.headers)).not.toContain(API_KEY);
  });

  it('3. sends version, betas and their fields to Anthropic unchanged, unknown ones too', async () => {
    scripted.plays([{ text: 'Hi' }]);
    const fields = { new_field: { of: ['tomorrow'] } };
    await post(
      PATH,
      request(CLAUDE, { ...fields, thinking: { type: 'enabled', budget_tokens: 9 } }),
    )
      .set('anthropic-version', '2099-01-01')
      .set('anthropic-beta', `${BETAS},made-up-2099-01-01`)
      .expect(200);
    expect(upstream.last.headers).toMatchObject({
      'anthropic-version': '2099-01-01',
      'anthropic-beta': `${BETAS},made-up-2099-01-01`,
    });
    const { model: _model, thinking: _thinking, ...sent } = request(CLAUDE, fields);
    expect(upstream.last.body).toMatchObject(sent);
  });

  it.each(others)('3. drops the betas and their fields together for %s', async (_, model) => {
    scripted.plays([{ text: 'Hi' }]);
    await post(PATH, request(model))
      .set('anthropic-version', '2023-06-01')
      .set('anthropic-beta', BETAS)
      .expect(200);
    const names = Object.keys(upstream.last.headers);
    expect(names.filter((name) => name.startsWith('anthropic-'))).toEqual([]);
    for (const word of ['context_management', 'output_config', 'defer_loading', 'cache_control']) {
      expect(upstream.last.text).not.toContain(word);
    }
    expect(upstream.last.text).toContain('Loaded later');
  });

  it('4. keeps the system blocks as they are for Anthropic, attribution first', async () => {
    scripted.plays([{ text: 'Hi' }]);
    await post(PATH, request(CLAUDE)).expect(200);
    expect(upstream.last.body.system).toEqual(request(CLAUDE).system);
  });

  it.each(others)(
    '4. spares %s the attribution, which may change with each call',
    async (_, model) => {
      scripted.plays([{ text: 'Hi' }]);
      await post(PATH, request(model)).expect(200);
      expect(upstream.last.text).not.toContain('x-anthropic-billing-header');
      expect(upstream.last.text).toContain('You are an agent.');
      expect(upstream.last.text.indexOf('You are')).toBeLessThan(
        upstream.last.text.indexOf('Be brief'),
      );
    },
  );

  it.each(Object.entries(MODELS))(
    '5. pings while the provider of %s is silent',
    async (_, model) => {
      scripted.plays([{ text: 'Hi' }]);
      const text = await streamedAfter(2, 'event: ping', PATH, request(model));
      const types = eventsOf(text).map(({ type }) => type);
      expect(types.filter((type) => type === 'ping').length).toBeGreaterThanOrEqual(2);
      expect(types.filter((type) => type === 'message_start')).toHaveLength(1);
      expect(types.at(-1)).toBe('message_stop');
    },
  );

  it.each(Object.entries(MODELS))('6. passes on what %s says is wrong', async (_, model) => {
    const said = 'messages.1.content.0: Invalid `signature` in `thinking` block';
    scripted.fails(400, said);
    const { body } = await post(PATH, request(model)).expect(400);
    expect(body).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: said },
    });
    scripted.fails(undefined);
  });

  it('7. lists its Claudes within the time that discovery has, at one address', async () => {
    const startedAt = performance.now();
    const { body } = await supertest(gateway.url)
      .get('/v3/v1/models?limit=1000')
      .set('authorization', `Bearer ${API_KEY}`)
      .redirects(0)
      .expect(200);
    expect(performance.now() - startedAt).toBeLessThan(3000);
    const kept = body.data.filter(({ id }: { id: string }) => /claude|anthropic/.test(id));
    expect(kept.map(({ id }: { id: string }) => id)).toContain(CLAUDE);
    for (const { display_name: name } of kept) expect(name).not.toBe('');
    expect(body.has_more).toBe(false);
  });

  it.each([
    ['cohere/command-r7b-12-2024', undefined],
    ['bedrock/us.amazon.nova-lite-v1:0', undefined],
    ['openai/gpt-4o', undefined],
    ['anthropic/claude-haiku-4-5', { type: 'enabled', budget_tokens: expect.any(Number) }],
    ['anthropic/claude-opus-4-6', { type: 'adaptive' }],
  ])('9. asks %s for the thinking that it knows', async (model, thinking) => {
    scripted.plays([{ text: 'Hi' }]);
    await post(PATH, request(model)).expect(200);
    expect(upstream.last.body.thinking).toEqual(thinking);
    if (!thinking) expect(upstream.last.text).not.toMatch(/adaptive|effort|reasoning/);
  });

  it.each(others)(
    '10. estimates the input of %s first and tells it exactly last',
    async (_, model) => {
      scripted.plays([{ text: 'Hi' }]);
      const estimateOf = async (text: string) => {
        const messages = [{ role: 'user', content: text }];
        const events = eventsOf((await post(PATH, request(model, { messages }))).text);
        const delta = events.find(({ type }) => type === 'message_delta');
        expect(delta.usage).toMatchObject({ input_tokens: 1000, output_tokens: 500 });
        return events[0].message.usage.input_tokens;
      };
      const short = await estimateOf('Hello');
      expect(short).toBeGreaterThan(10);
      const long = await estimateOf('Hello, how are you? '.repeat(2000));
      expect(long).toBeGreaterThan(short + 8_000);
      expect(long).toBeLessThan(short + 20_000);
    },
  );
});
