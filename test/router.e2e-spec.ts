import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { unitsOfUsd } from '../src/contract/money.js';
import { CatalogueService } from '../src/models/catalogue.service.js';
import { Health } from '../src/upstream/health.service.js';
import { describeEveryEngine } from './support/databases.js';
import { fundedAccount, send } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { describeWithRedis } from './support/redis.js';

const STRONG = 'lab/strong';
const CHEAP = 'lab/cheap';
const SMALL = 'lab/small';
const EUROPEAN = 'lab/european';

const directory = mkdtempSync(join(tmpdir(), 'causeway-router-'));
const file = (name: string, text: string): string => {
  const path = join(directory, name);
  writeFileSync(path, text);
  return path;
};

const PRIOR = `
families:
  strong: { quality: 0.9 }
  cheap: { quality: 0.7 }
  small: { quality: 0.5 }
  european: { quality: 0.1 }
`;

/** Models of one provider, whose prices are tenfold from one to the next. */
const modelsFile = (url: string) =>
  file(
    `models-${new URL(url).port}.yaml`,
    `
providers:
  lab: { format: openai, base_url: '${url}/v1' }
models:
  ${STRONG}:
    endpoints: [messages]
    context_length: 100000
    max_output_tokens: 8000
    pricing: { input_cost_per_token: 0.00001, output_cost_per_token: 0.00005 }
    capabilities:
      supports_function_calling: true
      supports_tool_choice: true
      supports_response_schema: true
      supports_reasoning: true
      input_modalities: [text, image, file]
  ${CHEAP}:
    endpoints: [messages]
    context_length: 100000
    max_output_tokens: 8000
    pricing: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000005 }
    capabilities: { supports_function_calling: true, input_modalities: [text] }
  ${SMALL}:
    endpoints: [messages]
    context_length: 2000
    max_output_tokens: 500
    pricing: { input_cost_per_token: 0.0000001, output_cost_per_token: 0.0000005 }
  ${EUROPEAN}:
    endpoints: [messages]
    pricing: { input_cost_per_token: 0.00001, output_cost_per_token: 0.00005 }
    regions: [eu]
`,
  );

const completion = (model: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
});

/** A laboratory of models whose calls can be made to fail by name. */
class Laboratory {
  readonly upstream = new FakeUpstream();
  readonly failing = new Set<string>();

  async open(): Promise<string> {
    await this.upstream.listen();
    this.upstream.answers((response, { body }) => {
      const fails = this.failing.has(`lab/${body.model}`);
      response.writeHead(fails ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(fails ? { error: { message: 'No.' } } : completion(body.model)));
    });
    return modelsFile(this.upstream.url);
  }

  get asked(): string[] {
    return this.upstream.received.map(({ body }) => body.model as string);
  }
}

const poster =
  (gateway: () => RunningGateway, key = API_KEY) =>
  async (path: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(gateway().url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const json: any = text.startsWith('{') ? JSON.parse(text) : undefined;
    return { status: response.status, text, json, headers: response.headers };
  };

let count = 0;
/** A question that no conversation has begun with before. */
const question = () => [
  { role: 'user' as const, content: `Tell me about number ${(count += 1)}.` },
];
const routed = (more: object = {}) => ({
  model: '@router',
  max_tokens: 100,
  messages: question(),
  ...more,
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
      expect(json.error.message).toContain(`${CHEAP}: image_input; ${SMALL}: image_input`);
    }
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
    for (let call = 0; call < 40; call += 1) {
      health.report(target, 'fails');
    }
    const { json } = await post('/v3/route', routed({ routing: { quality_cost: 0 } }));
    expect(json.candidates).toContainEqual(
      expect.objectContaining({ model: EUROPEAN, dropped: 'unhealthy' }),
    );
    const only = await post('/v3/route', routed({ router_candidates: [EUROPEAN] }));
    expect(only.json.plan).toEqual([EUROPEAN]);
  });

  it('explores only when it is told to', async () => {
    const random = jest.spyOn(Math, 'random').mockReturnValue(0);
    expect(await chat(routed({ routing: { quality_cost: 0 } }))).toBe(STRONG);
    random.mockRestore();
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
      const spy = jest.spyOn(Math, 'random').mockReturnValue(random);
      const body = routed({ session_id, routing: { quality_cost: 0 } });
      const { json } = await poster(() => gateway)('/v3/chat/completions', body);
      spy.mockRestore();
      return json.model;
    };
    expect(await first(0.019, 'e-1')).toBe(CHEAP);
    expect(await first(0.5, 'e-1')).toBe(CHEAP);
    expect(await first(0.021, 'e-2')).toBe(STRONG);
    expect(await first(0.001, 'e-2')).toBe(STRONG);
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
  it('knows a conversation in all of them', async () => {
    const laboratory = new Laboratory();
    const env = {
      MODELS_FILE: await laboratory.open(),
      ROUTER_PRIOR_FILE: file('prior.yaml', PRIOR),
      REDIS_URL: redis.url,
      CAUSEWAY_API_KEY: API_KEY,
    };
    const [one, other] = [await startGateway(env), await startGateway(env)];
    try {
      const session_id = 'shared';
      const body = (quality_cost: number) => routed({ session_id, routing: { quality_cost } });
      const first = await poster(() => one)('/v3/chat/completions', body(0));
      expect(first.json.model).toBe(STRONG);
      const asked = await poster(() => other)('/v3/chat/completions', body(10));
      // Each gateway has a database of its own, but their first account has the same id.
      expect(asked.json.model).toBe(STRONG);
    } finally {
      await Promise.all([one.close(), other.close(), laboratory.upstream.close()]);
    }
  });
});

describeEveryEngine('feedback', (engine) => {
  const laboratory = new Laboratory();
  let gateway: RunningGateway;
  let env: Record<string, string>;
  const post = poster(() => gateway);
  beforeAll(async () => {
    const settings = await engine.fresh();
    env = {
      ...settings,
      MODELS_FILE: await laboratory.open(),
      ROUTER_PRIOR_FILE: file('prior.yaml', PRIOR),
    };
    gateway = await startGateway(env);
  });
  afterAll(async () => {
    await gateway.close();
    await laboratory.upstream.close();
  });

  /** A request that the strong model answers. */
  const answered = async (more: object = {}) => {
    const routing = { quality_cost: 0, sticky: false };
    const { headers } = await post('/v3/chat/completions', routed({ routing, ...more }));
    return headers.get('x-request-id')!;
  };
  const quality = async (ask = post) => {
    const { json } = await ask(
      '/v3/route',
      routed({ routing: { quality_cost: 0, sticky: false } }),
    );
    return json.candidates.find(({ model }: any) => model === STRONG).quality as number;
  };

  it('moves what is believed by its share of sixty requests and one, the last one counts', async () => {
    const before = await quality();
    const request_id = await answered();
    const give = async (score: number) => {
      const { status, text } = await post('/v3/feedback', { request_id, score });
      expect([status, text]).toEqual([204, '']);
    };
    await give(1);
    await give(0);
    await give(0);
    expect(await quality()).toBeCloseTo((before * 60) / 61, 4);
    await give(0.5);
    expect(await quality()).toBeCloseTo((before * 60 + 0.5) / 61, 4);
  });

  it('is remembered by the next process', async () => {
    const before = await quality();
    await gateway.close();
    gateway = await startGateway(env);
    expect(await quality()).toBe(before);
  });

  it('ends with another model when it is bad for long enough', async () => {
    const { key } = await fundedAccount(gateway);
    const ask = poster(() => gateway, key);
    const ids = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const body = routed({ routing: { quality_cost: 0, sticky: false } });
        return (await ask('/v3/chat/completions', body)).headers.get('x-request-id')!;
      }),
    );
    for (const request_id of ids) await ask('/v3/feedback', { request_id, score: 0 });
    const { json } = await ask(
      '/v3/route',
      routed({ routing: { quality_cost: 0, sticky: false } }),
    );
    expect(json.model).toBe(CHEAP);
    // Another account has seen nothing of it.
    const { key: another } = await fundedAccount(gateway);
    expect(await quality(poster(() => gateway, another))).toBe(0.9);
  });

  it('counts once when it comes many times at once', async () => {
    const { key } = await fundedAccount(gateway);
    const ask = poster(() => gateway, key);
    const { headers } = await ask('/v3/chat/completions', routed({ routing: { quality_cost: 0 } }));
    const request_id = headers.get('x-request-id')!;
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => ask('/v3/feedback', { request_id, score: 0 })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    await delay(10);
    expect(await quality(ask)).toBeCloseTo((0.9 * 60) / 61, 4);
  });

  it('counts for a model that was named too', async () => {
    const { key } = await fundedAccount(gateway);
    const ask = poster(() => gateway, key);
    const { headers } = await ask('/v3/chat/completions', { ...routed(), model: STRONG });
    const request_id = headers.get('x-request-id')!;
    expect((await ask('/v3/feedback', { request_id, score: 0, note: 'Wrong.' })).status).toBe(204);
    expect(await quality(ask)).toBeCloseTo((0.9 * 60) / 61, 4);
  });

  it('is refused for requests that are not there, of another account, or not answered', async () => {
    const { key } = await fundedAccount(gateway);
    const other = poster(() => gateway, key);
    const request_id = await answered();
    const refused = await other('/v3/feedback', { request_id, score: 1 });
    expect(refused.status).toBe(404);
    expect(refused.json.error).toMatchObject({ code: 'not_found', param: 'request_id' });
    expect((await post('/v3/feedback', { request_id: 'req_nope', score: 1 })).status).toBe(404);
    const failed = await post('/v3/chat/completions', { ...routed(), model: 'sandbox/error-500' });
    const id = failed.headers.get('x-request-id')!;
    expect((await post('/v3/feedback', { request_id: id, score: 1 })).status).toBe(404);
  });

  it.each([
    [{ score: 1 }, 'request_id'],
    [{ request_id: 'a' }, 'score'],
    [{ request_id: 'a', score: 1.1 }, 'score'],
    [{ request_id: 'a', score: -1 }, 'score'],
    [{ request_id: 'a', score: '1' }, 'score'],
    [{ request_id: 'a', score: 1, note: 'x'.repeat(1001) }, 'note'],
    [{ request_id: 'a', score: 1, stars: 5 }, 'stars'],
  ])('refuses %j', async (body, param) => {
    const { status, json } = await post('/v3/feedback', body);
    expect([status, json.error.param]).toEqual([400, param]);
  });
});
