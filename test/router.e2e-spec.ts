import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { unitsOfUsd } from '../src/contract/money.js';
import { CatalogueService } from '../src/models/catalogue.service.js';
import { Health } from '../src/upstream/health.service.js';
import { fundedAccount, send } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { ADMIN_KEY, API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import {
  CHEAP,
  directory,
  EUROPEAN,
  file,
  Laboratory,
  poster,
  PRIOR,
  question,
  routed,
  SMALL,
  STRONG,
} from './support/laboratory.js';
import { MESSAGE } from './support/provider-answers.js';
import { describeWithRedis } from './support/redis.js';
import { until } from './support/until.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('@router', () => {
  const laboratory = new Laboratory();
  let gateway: RunningGateway;
  const post = poster(() => gateway);
  const chat = async (body: object, headers = {}) => {
    const reply = await post('/v3/chat/completions', body, headers);
    expect(reply.status).toBe(200);
    return reply.json.model as string;
  };

  beforeAll(async () => {
    gateway = await startGateway({
      MODELS_FILE: await laboratory.open(),
      ROUTER_PRIOR_FILE: file('prior.yaml', PRIOR),
      BREAKER: 'on',
    });
  });
  afterAll(async () => {
    await gateway.close();
    await laboratory.upstream.close();
  });
  beforeEach(() => laboratory.failing.clear());

  it.each([
    ['/v3/chat/completions', { messages: question() }],
    ['/v3/v1/messages', { max_tokens: 100, messages: question() }],
    ['/v3/responses', { input: 'Hello' }],
  ])('goes from quality to price with the dial on %s', async (path, conversation) => {
    const chosen = [];
    for (const quality_cost of [0, 6, 10]) {
      const body = { model: '@router', ...conversation, routing: { quality_cost, sticky: false } };
      const { json, text } = await post(path, body);
      chosen.push(json?.model ?? text);
    }
    expect(chosen).toEqual([STRONG, CHEAP, SMALL]);
  });

  it('answers equal requests by the same model', async () => {
    const body = routed({ routing: { sticky: false } });
    const first = (await post('/v3/route', body)).json;
    for (let round = 0; round < 5; round += 1) {
      expect((await post('/v3/route', body)).json).toEqual(first);
    }
  });

  it.each([
    ['/v3/v1/messages', 422, { detail: [{ loc: ['body', 'routing', 'quality_cost'] }] }],
    ['/v3/chat/completions', 400, { error: { param: 'routing.quality_cost' } }],
    ['/v3/route', 400, { error: { param: 'routing.quality_cost' } }],
  ])('refuses a dial that does not exist on %s with %i', async (path, status, body) => {
    const reply = await post(path, routed({ routing: { quality_cost: 11 } }));
    expect(reply.status).toBe(status);
    expect(reply.json).toMatchObject(body);
  });

  it.each([
    ['/v3/v1/messages', 422],
    ['/v3/chat/completions', 400],
    ['/v3/responses', 400],
  ])('refuses an option that it does not know on %s with %i', async (path, status) => {
    const conversation = path === '/v3/responses' ? { input: 'Hi' } : { messages: question() };
    const reply = await post(path, { model: '@router', ...conversation, routing: { price: 3 } });
    expect(reply.status).toBe(status);
    expect(reply.text).toContain('price');
  });

  it.each([
    ['/v3/v1/messages', 422],
    ['/v3/chat/completions', 400],
    ['/v3/route', 400],
  ])('refuses more candidates than anybody has on %s with %i', async (path, status) => {
    const router_candidates = Array.from({ length: 1_001 }, (_, ms) => `sandbox/slow-${ms}`);
    const reply = await post(path, routed({ router_candidates }));
    expect(reply.status).toBe(status);
    expect(reply.text).toContain('router_candidates');
  });

  it('takes the texts for numbers and flags that messages allow', async () => {
    const session_id = 'texts';
    const served = async (routing: object) => {
      const reply = await post('/v3/v1/messages', routed({ session_id, routing }));
      return reply.json.model as string;
    };
    expect(await served({ quality_cost: '0' })).toBe(STRONG);
    expect(await served({ quality_cost: '1_0', sticky: 'false' })).toBe(SMALL);
    expect(await served({ quality_cost: ' 10 ', sticky: 'yes' })).toBe(STRONG);
  });

  it('keeps what is for the gateway from the provider', async () => {
    const body = routed({ routing: { quality_cost: 1 }, session_id: 's-1' });
    await chat(body);
    expect(laboratory.upstream.last.body).not.toHaveProperty('routing');
    expect(laboratory.upstream.last.body).not.toHaveProperty('session_id');
  });

  it.each([
    [
      'an image',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }],
          },
        ],
      },
    ],
    [
      'a schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } },
    ],
    ['thinking', { reasoning_effort: 'high' }],
    [
      'a forced tool',
      { tools: [{ type: 'function', function: { name: 'f' } }], tool_choice: 'required' },
    ],
  ])('gives %s only to a model that can take it, whatever it costs', async (_, more) => {
    expect(await chat(routed({ ...more, routing: { quality_cost: 10 } }))).toBe(STRONG);
  });

  it('leaves out models that are too small, with the reason', async () => {
    const text = 'word '.repeat(2_000);
    const body = routed({
      messages: [{ role: 'user', content: text }],
      routing: { quality_cost: 10 },
    });
    const { json } = await post('/v3/route', body);
    expect(json.model).toBe(CHEAP);
    const reasons = Object.fromEntries(
      json.candidates.map(({ model, dropped }: any) => [model, dropped]),
    );
    expect(reasons[SMALL]).toBe('context_length');
    const long = await post('/v3/route', routed({ max_tokens: 600 }));
    expect(long.json.candidates).toContainEqual(
      expect.objectContaining({ model: SMALL, dropped: 'max_output_tokens', score: null }),
    );
  });

  it('keeps a long conversation with sealed thinking where it fits', async () => {
    const encrypted_content = randomBytes(4_713).toString('base64url');
    const thought = { type: 'reasoning', summary: [], encrypted_content };
    const input = [...question(), ...Array.from({ length: 50 }, () => thought), ...question()];
    const { json } = await post('/v3/route', { model: '@router', input });
    expect(json.plan).toEqual(expect.arrayContaining([STRONG, CHEAP]));
    expect(json.plan).not.toContain(SMALL);
  });

  it('says of each model why none can take a request', async () => {
    const content = [{ type: 'image_url', image_url: { url: 'https://a.example/b.png' } }];
    const body = routed({
      messages: [{ role: 'user', content }],
      router_candidates: [CHEAP, SMALL],
    });
    for (const path of ['/v3/chat/completions', '/v3/route']) {
      const { status, json } = await post(path, body);
      expect(status).toBe(400);
      expect(json.error).toMatchObject({ code: 'router_no_candidate', param: 'model' });
      expect(json.error.message).toContain(`image_input: ${CHEAP}, ${SMALL}`);
    }
  });

  const said = (part: object) => ({ messages: [{ role: 'user', content: [part] }] });
  it.each([
    [said({ type: 'audio_url', audio_url: { url: 'https://a.example/b.mp3' } }), 'audio_input'],
    [said({ type: 'video_url', video_url: { url: 'https://a.example/b.mp4' } }), 'video_input'],
    [{ modalities: ['text', 'audio'], audio: { voice: 'a', format: 'wav' } }, 'audio_output'],
    [{ modalities: ['text', 'image'] }, 'image_output'],
    [{ web_search_options: {} }, 'web_search'],
  ])('asks nobody who cannot take %j', async (more, reason) => {
    const from = laboratory.asked.length;
    const body = routed({ ...more, router_candidates: [STRONG] });
    for (const path of ['/v3/chat/completions', '/v3/route']) {
      const { status, json } = await post(path, body);
      expect([status, json.error.message]).toEqual([400, expect.stringContaining(`${reason}: `)]);
    }
    expect(laboratory.asked.length).toBe(from);
  });

  it('goes on with the rest of its ranking, and then with the fallbacks', async () => {
    for (const model of [STRONG, CHEAP, SMALL]) laboratory.failing.add(model);
    const from = laboratory.asked.length;
    const body = routed({
      router_candidates: [STRONG, CHEAP, SMALL],
      routing: { quality_cost: 0 },
      fallbacks: ['sandbox/echo'],
    });
    expect(await chat(body)).toBe('sandbox/echo');
    expect([...new Set(laboratory.asked.slice(from))]).toEqual(['strong', 'cheap', 'small']);
  });

  it('goes on with its model when a fallback had to serve once', async () => {
    const session_id = 'served-elsewhere';
    expect(await chat(routed({ session_id, routing: { quality_cost: 0 } }))).toBe(STRONG);
    for (const model of [STRONG, CHEAP, SMALL]) laboratory.failing.add(model);
    const candidates = { router_candidates: [STRONG, CHEAP, SMALL] };
    const fallbacks = ['sandbox/echo'];
    expect(await chat(routed({ session_id, ...candidates, fallbacks }))).toBe('sandbox/echo');
    laboratory.failing.clear();
    const { json } = await post('/v3/route', routed({ session_id, routing: { quality_cost: 10 } }));
    expect(json).toMatchObject({ model: STRONG, kept: true });
  });

  it.each([
    { system: 'Be brief.' },
    { stop_sequences: ['.'] },
    { output_config: { effort: 'low' } },
  ])('shows what a Messages request does that names no bound of its answer: %j', async (more) => {
    const body = { model: '@router', messages: question(), ...more };
    const asked = { ...body, routing: { quality_cost: 10, sticky: false } };
    const { json: route } = await post('/v3/route', asked);
    const { json: answer } = await post('/v3/v1/messages', asked);
    expect(route.model).toBe(answer.model);
    expect(route.candidates).toContainEqual(
      expect.objectContaining({ model: SMALL, dropped: 'max_output_tokens' }),
    );
  });

  it('shows the plan without a call, a record or a memory', async () => {
    const from = laboratory.asked.length;
    const session_id = 'plans-only';
    const body = routed({ session_id, routing: { quality_cost: 0 }, fallbacks: ['sandbox/echo'] });
    const { status, json } = await post('/v3/route', body);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      model: STRONG,
      plan: expect.arrayContaining([STRONG, CHEAP, SMALL]),
      task: 'general',
      kept: false,
    });
    expect(json.plan.at(-1)).toBe('sandbox/echo');
    const [first] = json.candidates;
    expect(first).toEqual({
      model: STRONG,
      score: 0.9,
      quality: 0.9,
      price: expect.any(Number),
      latency_ms: expect.any(Number),
    });
    expect(first.price).toBeGreaterThan(0.001);
    expect(laboratory.asked.length).toBe(from);
    const other = await post('/v3/route', routed({ session_id, routing: { quality_cost: 10 } }));
    expect(other.json).toMatchObject({ model: SMALL, kept: false });
  });

  it.each([
    ['/v3/v1/messages', { max_tokens: '100', stream: 'no', temperature: '0.5' }, 200],
    ['/v3/v1/messages', { max_tokens: 100, routing: { quality_cost: '0', sticky: 'no' } }, 200],
    ['/v3/v1/messages', { max_tokens: 100, system: 'Hi', temperature: 'warm' }, 422],
    ['/v3/v1/messages', { max_tokens: 100, system: 'Hi', extra_headers: { a: 1 } }, 422],
    ['/v3/chat/completions', { max_completion_tokens: 100, temperature: 3 }, 400],
    ['/v3/chat/completions', { metadata: 'x' }, 400],
    ['/v3/chat/completions', { tool_choice: 5 }, 400],
    ['/v3/chat/completions', { messages: [] }, 400],
    ['/v3/chat/completions', { max_completion_tokens: '100' }, 400],
    ['/v3/chat/completions', { stop: 5 }, 400],
    ['/v3/chat/completions', { n: 0 }, 400],
    ['/v3/v1/messages', { system: 'Hi', top_k: [] }, 422],
    ['/v3/v1/messages', { messages: [{ role: 'user', content: [{ type: 'image', id: 5 }] }] }, 422],
    ['/v3/responses', { input: [] }, 400],
    ['/v3/responses', { input: '' }, 200],
    ['/v3/responses', { store: true }, 400],
    ['/v3/responses', { store: false, background: true }, 400],
    ['/v3/responses', { previous_response_id: 'resp_1' }, 400],
    ['/v3/responses', { conversation: 'conv_1' }, 400],
    ['/v3/responses', { input: [{ type: 'item_reference', id: 'msg_1' }] }, 400],
    ['/v3/responses', { max_output_tokens: '100' }, 400],
    ['/v3/responses', { routing: { quality_cost: '0' } }, 400],
    ['/v3/responses', { stream: false, top_p: 0.5 }, 200],
  ])('judges a body as %s does: %j', async (path, fields, status) => {
    const conversation = path === '/v3/responses' ? { input: 'Hi' } : { messages: question() };
    const body = { model: '@router', ...conversation, ...fields };
    const asked = await post(path, body);
    expect(asked.status).toBe(status);
    const from = laboratory.asked.length;
    const { status: planned, json } = await post('/v3/route', body);
    expect(planned).toBe(status === 200 ? 200 : 400);
    if (status === 400) expect(json.error).toEqual(asked.json.error);
    if (status === 200) expect(json.model).toBe(asked.json.model);
    expect(laboratory.asked.length).toBe(from);
  });

  it('shows the plan of a request that names its model', async () => {
    const body = { ...routed(), model: CHEAP, fallbacks: [SMALL] };
    const { json } = await post('/v3/route', body);
    expect(json).toEqual({ model: CHEAP, plan: [CHEAP, SMALL], candidates: [] });
    expect((await post('/v3/route', { model: CHEAP })).status).toBe(400);
    expect((await post('/v3/route', { ...routed(), model: 'lab/nope' })).status).toBe(404);
  });

  it('tells a caller who asks what it made of each model', async () => {
    const headers = { 'x-causeway-metadata': 'enabled' };
    const body = routed({
      routing: { quality_cost: 0 },
      router_candidates: [STRONG, CHEAP, SMALL],
      max_tokens: 600,
    });
    const { json } = await post('/v3/chat/completions', body, headers);
    expect(json.causeway_metadata).toMatchObject({
      strategy: 'router',
      candidates: [
        { model: STRONG, score: 0.9 },
        { model: CHEAP, score: 0.7 },
        { model: SMALL, score: null, dropped: 'max_output_tokens' },
      ],
    });
    const direct = await post('/v3/chat/completions', { ...routed(), model: CHEAP }, headers);
    expect(direct.json.causeway_metadata).not.toHaveProperty('candidates');
  });

  describe('conversations', () => {
    const strongest = { routing: { quality_cost: 0 } };
    const cheapest = { routing: { quality_cost: 10 } };

    it.each([
      ['session_id', { session_id: 'a-session' }, {}],
      ['x-session-id', {}, { 'x-session-id': 'b-session' }],
      ['x-claude-code-session-id', {}, { 'x-claude-code-session-id': 'c-session' }],
      ['x-session-affinity', {}, { 'x-session-affinity': 'd-session' }],
      ['session-id', {}, { 'session-id': 'e-session' }],
      ['session_id of headers', {}, { session_id: 'f-session' }],
      ['x-opencode-session', {}, { 'x-opencode-session': 'g-session' }],
      ['agent-session-id', {}, { 'agent-session-id': 'h-session' }],
      ['metadata.user_id', { metadata: { user_id: 'user_a1_account__session_3f-9' } }, {}],
      ['a JSON text there', { metadata: { user_id: '{"device_id":"d","session_id":"j-1"}' } }, {}],
    ])('stay with their model by %s', async (_, body, headers) => {
      expect(await chat(routed({ ...strongest, ...body }), headers)).toBe(STRONG);
      expect(await chat(routed({ ...cheapest, ...body }), headers)).toBe(STRONG);
      const { json } = await post('/v3/route', routed({ ...cheapest, ...body }), headers);
      expect(json).toMatchObject({ model: STRONG, kept: true });
    });

    it('stay with their model by how they begin', async () => {
      const opening = [{ role: 'system', content: 'Be kind.' }, ...question()];
      expect(await chat(routed({ ...strongest, messages: opening }))).toBe(STRONG);
      const on = [...opening, { role: 'assistant', content: 'Yes.' }, ...question()];
      expect(await chat(routed({ ...cheapest, messages: on }))).toBe(STRONG);
      const unkind = [{ role: 'system', content: 'Be rude.' }, ...on.slice(1)];
      expect(await chat(routed({ ...cheapest, messages: unkind }))).toBe(SMALL);
    });

    it('are others while nobody has answered them, however alike they begin', async () => {
      const opening = [{ role: 'system', content: 'Be the same.' }, ...question()];
      for (const [how, model] of [
        [strongest, STRONG],
        [cheapest, SMALL],
      ] as const) {
        expect(await chat(routed({ ...how, messages: opening }))).toBe(model);
      }
    });

    it('stay with their model when another one begins alike', async () => {
      const opening = [{ role: 'system', content: 'Be usual.' }, ...question()];
      const on = [...opening, { role: 'assistant', content: 'Yes.' }, ...question()];
      expect(await chat(routed({ ...strongest, messages: opening }))).toBe(STRONG);
      expect(await chat(routed({ ...strongest, messages: on }))).toBe(STRONG);
      expect(await chat(routed({ ...cheapest, messages: opening }))).toBe(SMALL);
      expect(await chat(routed({ ...cheapest, messages: on }))).toBe(STRONG);
    });

    it('do not stay where they are told so', async () => {
      const session_id = 'loose';
      expect(await chat(routed({ ...strongest, session_id }))).toBe(STRONG);
      const routing = { quality_cost: 10, sticky: false };
      expect(await chat(routed({ session_id, routing }))).toBe(SMALL);
    });

    it('leave a model that cannot take the request, and stay with the next', async () => {
      const session_id = 'grows';
      expect(await chat(routed({ ...cheapest, session_id }))).toBe(SMALL);
      const long = [{ role: 'user', content: 'word '.repeat(2_000) }];
      expect(await chat(routed({ ...cheapest, session_id, messages: long }))).toBe(CHEAP);
      expect(await chat(routed({ ...cheapest, session_id }))).toBe(CHEAP);
      expect(await chat(routed({ ...strongest, session_id, router_candidates: [STRONG] }))).toBe(
        STRONG,
      );
    });

    it('go on with the model that has served when theirs fails', async () => {
      const session_id = 'falls';
      laboratory.failing.add(STRONG);
      expect(await chat(routed({ ...strongest, session_id }))).toBe(CHEAP);
      laboratory.failing.clear();
      expect(await chat(routed({ ...strongest, session_id }))).toBe(CHEAP);
    });

    it('of another account are others', async () => {
      const session_id = 'whose';
      expect(await chat(routed({ ...strongest, session_id }))).toBe(STRONG);
      const { key } = await fundedAccount(gateway);
      const other = await poster(() => gateway, key)(
        '/v3/route',
        routed({ ...cheapest, session_id }),
      );
      expect(other.json).toMatchObject({ model: SMALL, kept: false });
    });
  });

  it('learns nothing of what the sandbox plays for a sandbox key', async () => {
    const { id, key } = await fundedAccount(gateway);
    const asAdmin = poster(() => gateway, ADMIN_KEY);
    const made = await asAdmin(`/v3/admin/accounts/${id}/keys`, { name: 'trial', type: 'sandbox' });
    const session_id = 'trial';
    const trial = { ...routed({ session_id }), router_candidates: [EUROPEAN] };
    const played = await poster(() => gateway, made.json.key)('/v3/chat/completions', trial);
    expect(played.json.model).toBe(EUROPEAN);
    const { json } = await poster(() => gateway, key)('/v3/route', routed({ session_id }));
    expect(json.kept).toBe(false);
    expect(json.candidates).toContainEqual(
      expect.objectContaining({ model: EUROPEAN, latency_ms: null }),
    );
  });

  it('skips models that the credit does not cover', async () => {
    // 100 tokens of the strong one are half a cent.
    const { key } = await fundedAccount(gateway, unitsOfUsd(0.002));
    const body = routed({ routing: { quality_cost: 0 } });
    const reply = await send(gateway.url, { path: '/v3/chat/completions', key, body });
    expect(reply.status).toBe(200);
    expect(JSON.parse(reply.text).model).toBe(CHEAP);
    const { json } = await poster(() => gateway, key)('/v3/route', body);
    expect(json.candidates).toContainEqual(
      expect.objectContaining({ model: STRONG, dropped: 'credit' }),
    );
  });

  it('skips models that a key may not spend so much on', async () => {
    const limit = { amount: unitsOfUsd(0.002), per: 'day' } as const;
    const { key } = await fundedAccount(gateway, undefined, limit);
    const { json } = await poster(() => gateway, key)(
      '/v3/route',
      routed({ routing: { quality_cost: 0 } }),
    );
    expect(json.model).toBe(CHEAP);
  });

  it('leaves out a model that fails all the time, unless there is no other', async () => {
    const { snapshot } = gateway.app.get(CatalogueService);
    const health = gateway.app.get(Health);
    const model = snapshot.find(EUROPEAN)!;
    const target = { model, connection: snapshot.connection(model.provider)! };
    for (let call = 0; call < 20; call += 1) health.admit(target).end('fails');
    const { json } = await post('/v3/route', routed({ routing: { quality_cost: 0 } }));
    expect(json.candidates).toContainEqual(
      expect.objectContaining({ model: EUROPEAN, dropped: 'unhealthy' }),
    );
    const only = await post('/v3/route', routed({ router_candidates: [EUROPEAN] }));
    expect(only.json.plan).toEqual([EUROPEAN]);
  });

  it('explores only when it is told to', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    expect(await chat(routed({ routing: { quality_cost: 0 } }))).toBe(STRONG);
  });
});

describe('@router that explores', () => {
  const laboratory = new Laboratory();
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway({
      MODELS_FILE: await laboratory.open(),
      ROUTER_PRIOR_FILE: file('prior.yaml', PRIOR),
      ROUTER_EXPLORATION: '0.02',
    });
  });
  afterAll(async () => {
    await gateway.close();
    await laboratory.upstream.close();
  });

  it('lets another of its best models begin, in so many cases and for new conversations', async () => {
    const first = async (random: number, session_id: string) => {
      jest.spyOn(Math, 'random').mockReturnValue(random);
      const body = routed({ session_id, routing: { quality_cost: 0 } });
      const { json } = await poster(() => gateway)('/v3/chat/completions', body);
      return json.model;
    };
    expect(await first(0.019, 'e-1')).toBe(CHEAP);
    expect(await first(0.5, 'e-1')).toBe(CHEAP);
    expect(await first(0.021, 'e-2')).toBe(STRONG);
    expect(await first(0.001, 'e-2')).toBe(STRONG);
  });

  it('tells what would be chosen, and not what chance would try', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const { json } = await poster(() => gateway)(
      '/v3/route',
      routed({ routing: { quality_cost: 0 } }),
    );
    expect(json.model).toBe(STRONG);
    expect(json.candidates[0]).toMatchObject({ model: STRONG });
  });
});

describe('@router among many models of one format', () => {
  const upstream = new FakeUpstream();
  let gateway: RunningGateway;
  const post = poster(() => gateway);
  const CLAUDE = 'own/dear';
  beforeAll(async () => {
    await upstream.listen();
    const usage = { input_tokens: 10, output_tokens: 2 };
    upstream.replies(200, { ...MESSAGE, stop_reason: 'end_turn', usage });
    const row = (price: number) =>
      `{ endpoints: [messages], pricing: { input_cost_per_token: ${price}, output_cost_per_token: ${price} } }`;
    const cheap = Array.from({ length: 20 }, (_, n) => `  lab/cheap-${n}: ${row(0.000001)}`);
    gateway = await startGateway({
      MODELS_FILE: file(
        'formats.yaml',
        `
providers:
  lab: { format: openai, base_url: '${upstream.url}/v1' }
  own: { format: anthropic, base_url: '${upstream.url}' }
models:
${cheap.join('\n')}
  ${CLAUDE}: ${row(0.00001)}
`,
      ),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });

  it('comes to the one that speaks another format, when theirs cannot say the request', async () => {
    const mcp_servers = [{ type: 'url', name: 'notes', url: 'https://notes.example' }];
    const body = routed({ mcp_servers, routing: { quality_cost: 10 } });
    const { json: route } = await post('/v3/route', body);
    expect(route.plan).toHaveLength(11);
    expect(route.plan.at(-1)).toBe(CLAUDE);
    const { status, json } = await post('/v3/v1/messages', body);
    expect([status, json.model]).toEqual([200, CLAUDE]);
    expect(upstream.received).toHaveLength(1);
  });
});

describe('@router, of the models that come with it,', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway({ OPENAI_API_KEY: 'k', GOOGLE_API_KEY: 'k' });
  });
  afterAll(() => gateway.close());

  const pdf = { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjQK' };
  it.each([
    ['openai/gpt-4o-mini', 'a PDF', { type: 'file', file: pdf }],
    ['google/gemini-2.5-flash', 'a PDF', { type: 'file', file: pdf }],
    [
      'google/gemini-2.5-flash',
      'speech',
      { type: 'input_audio', input_audio: { data: 'UklGRg==' } },
    ],
  ])('knows that %s takes %s', async (model, _, part) => {
    const messages = [{ role: 'user', content: [part] }];
    const body = routed({ messages, router_candidates: [model] });
    expect((await poster(() => gateway)('/v3/route', body)).json.plan).toEqual([model]);
  });

  it('gives tools that OpenAI runs to no other, where a request has to have them', async () => {
    const [own, other] = ['openai/gpt-4o-mini', 'google/gemini-2.5-flash'];
    const search = { type: 'web_search' };
    const asked = (path: string, router_candidates: string[], ...tools: object[]) =>
      poster(() => gateway)(path, { model: '@router', input: 'Hi', tools, router_candidates });
    const alone = (await asked('/v3/route', [own, other], search)).json;
    expect(alone.plan).toEqual([own]);
    expect(alone.candidates).toContainEqual(
      expect.objectContaining({ model: other, dropped: 'hosted_tools' }),
    );
    const beside = await asked('/v3/route', [other], search, { type: 'function', name: 'f' });
    expect(beside.json.plan).toEqual([other]);
    for (const path of ['/v3/responses', '/v3/route']) {
      const { status, json } = await asked(path, [other], search);
      expect([status, json.error.code]).toEqual([400, 'router_no_candidate']);
      expect(json.error.message).toContain(`hosted_tools: ${other}`);
    }
  });

  const [telling, thinking, other] = [
    'openai/gpt-4o',
    'openai/gpt-5-mini',
    'google/gemini-2.5-pro',
  ];
  it.each([
    ['a chat', { logprobs: true, messages: question() }, [thinking, other]],
    ['a response', { include: ['message.output_text.logprobs'], input: 'Hello' }, [other]],
    [
      'a message that knows none',
      { logprobs: true, system: 'Be brief.', messages: question() },
      [],
    ],
  ])(
    'leaves out who would not tell the log probabilities that are asked for in %s',
    async (_, conversation, silent) => {
      const router_candidates = [telling, thinking, other];
      const body = { model: '@router', router_candidates, ...conversation };
      const { json } = await poster(() => gateway)('/v3/route', body);
      const dropped = json.candidates.filter((one: { dropped?: string }) => one.dropped);
      expect(dropped).toHaveLength(silent.length);
      for (const model of silent) {
        expect(dropped).toContainEqual(expect.objectContaining({ model, dropped: 'logprobs' }));
      }
    },
  );

  it('comes to the few that tell log probabilities, however many are ranked above them', async () => {
    const body = routed({ logprobs: true, messages: question(), routing: { quality_cost: 0 } });
    const { json } = await poster(() => gateway)('/v3/route', body);
    expect(json.plan.length).toBeGreaterThan(0);
    expect(json.plan.filter((id: string) => !id.startsWith('openai/gpt-4'))).toEqual([]);
  });
});

describe('@router where the operator has switched a model off', () => {
  const OFF = 'openai/gpt-4o';
  let gateway: RunningGateway;
  const post = poster(() => gateway);
  beforeAll(async () => {
    gateway = await startGateway({
      OPENAI_API_KEY: 'k',
      MODELS_FILE: file('off.yaml', `models:\n  ${OFF}: { enabled: false }\n`),
    });
  });
  afterAll(() => gateway.close());

  it('leaves it out, with the reason', async () => {
    const { json } = await post('/v3/route', routed());
    expect(json.candidates).toContainEqual(
      expect.objectContaining({ model: OFF, score: null, dropped: 'disabled' }),
    );
    expect(json.plan).not.toContain(OFF);
  });

  it('does not know it where it is named', async () => {
    const { status, json } = await post('/v3/route', routed({ router_candidates: [OFF] }));
    expect(status).toBe(404);
    expect(json.error).toMatchObject({ code: 'model_not_found', param: 'router_candidates[0]' });
  });
});

describe('the settings of the router', () => {
  it.each([
    [{ ROUTER_PRIOR_FILE: join(directory, 'missing.yaml') }, 'ROUTER_PRIOR_FILE cannot be read'],
    [
      {
        ROUTER_PRIOR_FILE: file('wrong.yaml', 'families:\n  gpt-4o: { quality: 1.5, maths: 1 }\n'),
      },
      'ROUTER_PRIOR_FILE line 2: families.gpt-4o.maths is not a known key',
    ],
    [{ ROUTER_EXPLORATION: '0.5' }, 'ROUTER_EXPLORATION must be a number from 0 to 0.02'],
  ])('stop the start when they are wrong: %j', async (env, message) => {
    await expect(startGateway(env)).rejects.toThrow(message);
  });
});

describeWithRedis('@router of several processes', (redis) => {
  /** Does the work with so many gateways of one Redis. */
  const withGateways = async (
    count: number,
    work: (gateways: readonly RunningGateway[]) => Promise<void>,
  ) => {
    const laboratory = new Laboratory();
    const env = {
      MODELS_FILE: await laboratory.open(),
      ROUTER_PRIOR_FILE: file('prior.yaml', PRIOR),
      REDIS_URL: redis.url,
      CAUSEWAY_API_KEY: API_KEY,
    };
    const gateways: RunningGateway[] = [];
    try {
      while (gateways.length < count) gateways.push(await startGateway(env));
      await work(gateways);
    } finally {
      await Promise.all([...gateways, laboratory.upstream].map((server) => server.close()));
    }
  };
  const leftMs = async (name: string) => Number((await redis.command(`PTTL ${name}`)).slice(1));
  const nameOfSession = async () => {
    let name = '';
    await until(async () => {
      const found = await redis.command('KEYS causeway:session:*');
      name = /causeway:session:\S+/.exec(found)?.[0] ?? '';
      return name !== '';
    });
    return name;
  };

  it('keeps a conversation for longer with each answer, and not for showing its plan', async () => {
    await withGateways(1, async ([gateway]) => {
      const post = poster(() => gateway!);
      const body = routed({ session_id: randomUUID(), routing: { quality_cost: 0 } });
      await redis.command('FLUSHALL');
      await post('/v3/chat/completions', body);
      const name = await nameOfSession();
      await redis.command(`PEXPIRE ${name} 60000`);
      expect((await post('/v3/route', body)).json.kept).toBe(true);
      await post('/v3/v1/messages/count_tokens', body);
      expect(await leftMs(name)).toBeLessThanOrEqual(60_000);
      await post('/v3/chat/completions', body);
      await until(async () => (await leftMs(name)) > 60_000);
    });
  });

  it('keeps a conversation with its model, and for longer, while others begin alike', async () => {
    await withGateways(1, async ([gateway]) => {
      const opening = [{ role: 'system', content: `Be ${randomUUID()}.` }, ...question()];
      const on = [...opening, { role: 'assistant', content: 'Yes.' }, ...question()];
      const answer = async (quality_cost: number, messages: object[]) => {
        const body = routed({ messages, routing: { quality_cost } });
        return (await poster(() => gateway!)('/v3/chat/completions', body)).json.model as string;
      };
      await redis.command('FLUSHALL');
      expect(await answer(0, opening)).toBe(STRONG);
      const name = await nameOfSession();
      await redis.command(`PEXPIRE ${name} 60000`);
      expect(await answer(10, opening)).toBe(SMALL);
      // It has been told by now: commands are answered in their order.
      expect(await answer(10, on)).toBe(STRONG);
      await until(async () => (await leftMs(name)) > 60_000);
    });
  });

  it('knows a conversation in all of them', async () => {
    await withGateways(2, async ([one, other]) => {
      // One of its own, should the test be run again.
      const session_id = randomUUID();
      const body = (quality_cost: number) => routed({ session_id, routing: { quality_cost } });
      const first = await poster(() => one!)('/v3/chat/completions', body(0));
      expect(first.json.model).toBe(STRONG);
      const asked = await poster(() => other!)('/v3/chat/completions', body(10));
      // Each gateway has a database of its own, but their first account has the same id.
      expect(asked.json.model).toBe(STRONG);
    });
  });
});
