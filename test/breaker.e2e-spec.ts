import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OPEN_MS } from '../src/upstream/breaker.js';
import { type Asked, providerAt, startAskedOn } from './support/admin.js';
import { moveClock } from './support/clock.js';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream, type Handler } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { metric } from './support/metric.js';
import { CHUNKS, COMPLETION } from './support/provider-answers.js';
import { until } from './support/until.js';

const MODEL = 'openai/gpt-4o-mini';
const OTHER = 'openai/gpt-4o';
const THIRD = 'openai/gpt-4.1';
const VECTORS = 'openai/text-embedding-3-small';
const JSON_HEAD = { 'content-type': 'application/json' };
const FIRST = CHUNKS.slice(0, CHUNKS.indexOf('\n\n') + 2);

const good: Handler = (response, { body }) => {
  response.writeHead(200, body.stream ? { 'content-type': 'text/event-stream' } : JSON_HEAD);
  response.end(body.stream ? CHUNKS : JSON.stringify(COMPLETION));
};
const fails: Handler = (response) => {
  response.writeHead(500, JSON_HEAD).end('{"error":{"message":"no"}}');
};
const says =
  (text: string, type = 'application/json'): Handler =>
  (response) => {
    response.writeHead(200, { 'content-type': type }).end(text);
  };

/** The first event of a stream, and then what is told. */
const begins =
  (next: (response: ServerResponse) => void): Handler =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(FIRST);
    await delay(50);
    next(response);
  };
const ERROR_EVENT = 'data: {"error":{"message":"gone","type":"server_error"}}\n\n';
/** Goes on until its reader leaves. */
const goesOn = begins((response) => {
  if (response.closed) return;
  const timer = setInterval(() => response.write(FIRST), 50);
  response.once('close', () => {
    clearInterval(timer);
  });
});

describe('the circuit of a model', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let acts: Record<string, Handler>;

  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(() => {
    upstream.received.length = 0;
    acts = {};
    upstream.answers((response, request) =>
      (acts[`openai/${request.body.model}`] ?? good)(response, request),
    );
  });
  afterEach(() => gateway.close());

  const start = async (env: Record<string, string> = {}) => {
    gateway = await startAskedOn({
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      BREAKER: 'on',
      ...env,
    });
  };
  /** The head of an answer, and its text as it comes. */
  const begun = (body: object, signal?: AbortSignal) =>
    gateway.begin(
      'POST /v3/chat/completions',
      { model: MODEL, messages: [{ role: 'user', content: 'Hi' }], ...body },
      { key: API_KEY, signal },
    );
  const chat = async (body: object = {}) => {
    const reply = await begun(body);
    return { status: reply.status, text: await reply.text() };
  };
  const twenty = (body: object) => Promise.all(Array.from({ length: 20 }, () => chat(body)));
  const left = async (body: object) => {
    const caller = new AbortController();
    const { body: events } = await begun({ stream: true, ...body }, caller.signal);
    await events?.getReader().read();
    caller.abort();
  };
  const health = async (model = MODEL): Promise<any> => {
    const { models } = await providerAt(gateway, 'openai');
    return models.find((one: { model: string }) => one.model === model);
  };
  const becomes = (circuit: string, model: string) =>
    until(async () => ((await health(model))?.circuit ?? 'closed') === circuit);

  it.each<[string, Handler]>([
    ['are reset', begins((response) => response.socket?.resetAndDestroy())],
    ['end without their last event', begins((response) => response.end())],
    ['fall silent', begins(() => undefined)],
    ['end with an error of the provider’s', begins((response) => response.end(ERROR_EVENT))],
    ['hold no event', says('', 'text/event-stream')],
  ])('opens for streams that %s', async (_, act) => {
    await start({ UPSTREAM_IDLE_TIMEOUT_MS: '400' });
    acts[MODEL] = act;
    await twenty({ stream: true });
    expect(await health()).toMatchObject({ circuit: 'open', failures: expect.any(Number) });
    expect((await chat({ stream: true })).status).toBe(503);
    expect(upstream.received.length).toBe(20);
  });

  it.each([
    { type: 'rate_limit_error' },
    { type: 'rate_limit_exceeded' },
    { type: 'invalid_request_error' },
    { type: 'invalid_prompt' },
    { type: null, code: 'misalignment_policy_violation' },
    { type: 'invalid_request', code: 'cyber_policy' },
    { type: null, code: 'content_filter', status: 400 },
  ])('stays closed for streams that end with the refusal %j', async (said) => {
    await start();
    const refusal = `data: ${JSON.stringify({ error: { message: 'no', ...said } })}\n\n`;
    acts[MODEL] = begins((response) => response.end(refusal));
    await twenty({ stream: true });
    expect(await health()).toMatchObject({ circuit: 'closed', failures: 0 });
  });

  it('stays closed for a server of MCP that a caller names and that fails', async () => {
    await start();
    const message = "Error retrieving tool list from MCP server: 'mine'.";
    const told = { message, type: 'external_connector_error', param: 'tools', code: 'http_error' };
    acts[MODEL] = (response) => {
      response.writeHead(424, JSON_HEAD).end(JSON.stringify({ error: told }));
    };
    const tools = [{ type: 'mcp', server_label: 'mine', server_url: 'https://mcp.example' }];
    const body = { model: MODEL, input: 'Hi', tools };
    const respond = () => gateway.ask('POST /v3/responses', body, { key: API_KEY });
    const answers = await Promise.all(Array.from({ length: 20 }, respond));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
    expect(answers[0]?.body.error).toMatchObject({ message, param: 'tools' });
    expect(await health()).toMatchObject({ circuit: 'closed', failures: 0 });
    acts[MODEL] = good;
    expect((await chat()).status).toBe(200);
  });

  it.each([
    ['no JSON', says('{"id": nope}')],
    ['nothing', says('')],
    ['a page', says('<html><title>Bad Gateway</title></html>', 'text/html')],
  ])('opens for answers with 200 that are %s', async (_, act) => {
    await start();
    acts[MODEL] = act;
    const answers = await twenty({});
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
    expect((await chat()).status).toBe(503);
    expect(upstream.received.length).toBe(20);
  });

  it.each([
    ['of which one is missing', { data: [] }],
    ['that are no vectors', { data: [{ index: 0, embedding: 'a' }] }],
  ])('opens for embeddings %s', async (_, answer) => {
    await start();
    acts[VECTORS] = says(JSON.stringify(answer));
    const embed = () =>
      gateway.ask('POST /v3/embeddings', { model: VECTORS, input: 'Hi' }, { key: API_KEY });
    const answers = await Promise.all(Array.from({ length: 20 }, embed));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
    expect((await embed()).status).toBe(503);
    expect(upstream.received.length).toBe(20);
  });

  it('stays closed for embeddings of another form, as a field of the provider’s own asks for', async () => {
    await start();
    const data = [{ object: 'embedding', index: 0, embeddings: [[0.1], [0.2]] }];
    acts[VECTORS] = says(JSON.stringify({ data }));
    const body = { model: VECTORS, input: 'Hi', return_multivector: true };
    const embed = () => gateway.ask('POST /v3/embeddings', body, { key: API_KEY });
    const answers = await Promise.all(Array.from({ length: 20 }, embed));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([502]));
    expect(await health(VECTORS)).toMatchObject({ circuit: 'closed', failures: 0 });
  });

  it('stays closed for streams that end well or are left, which it does not count', async () => {
    await start();
    await twenty({ stream: true });
    expect(await health()).toEqual({
      ...{ model: MODEL, circuit: 'closed', calls: 20, failures: 0, p50_ms: expect.any(Number) },
    });
    acts[OTHER] = goesOn;
    await Promise.all(Array.from({ length: 25 }, () => left({ model: OTHER })));
    await until(() => upstream.open === 0);
    await until(async () => (await health(OTHER)) === undefined);
  });

  it.each([
    ['is taken out of the catalogue', ''],
    ['is disabled', '  openai/added: { enabled: false }\n'],
  ])('is no more told of when the model %s', async (_, later) => {
    const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
    const row =
      '{ endpoints: [messages], pricing: { input_cost_per_token: 0, output_cost_per_token: 0 } }';
    const added = 'openai/added';
    await writeFile(MODELS_FILE, `models:\n  ${added}: ${row}\n  openai/other: ${row}\n`);
    await start({ MODELS_FILE });
    acts[added] = fails;
    await twenty({ model: added });
    const told = async () => [
      (await health(added))?.circuit,
      await metric(gateway, `causeway_circuit_open{model="${added}"}`),
    ];
    expect(await told()).toEqual(['open', 1]);
    const closed = later.replace('{', row.slice(0, -1) + ',');
    await writeFile(MODELS_FILE, `models:\n  openai/other: ${row}\n${closed}`);
    await until(async () => (await chat({ model: added })).status === 404);
    expect(await told()).toEqual([undefined, 0]);
  });

  it('is half open until its probe has ended, which alone is let through', async () => {
    await start();
    acts[MODEL] = fails;
    await twenty({});
    const told = async () => [
      (await health()).circuit,
      await metric(gateway, `causeway_circuit_open{model="${MODEL}"}`),
    ];
    expect(await told()).toEqual(['open', 1]);
    await becomes('half_open', MODEL);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    acts[MODEL] = async (...exchange) => {
      await promise;
      await good(...exchange);
    };
    const probe = chat();
    await until(() => upstream.received.length === 21);
    expect(await told()).toEqual(['half_open', 0.5]);
    expect((await chat()).status).toBe(503);
    resolve(undefined);
    expect((await probe).status).toBe(200);
    await becomes('closed', MODEL);
    expect(upstream.received.length).toBe(21);
  });

  it('tells whose probe it was what the provider has said, which is why it is open', async () => {
    await start();
    acts[MODEL] = fails;
    await twenty({});
    moveClock(OPEN_MS);
    expect((await health()).circuit).toBe('half_open');
    acts[MODEL] = (response) => {
      response.writeHead(503).end();
    };
    const answer = await begun({});
    expect(answer.headers.get('x-causeway-attempts')).toBe(`${MODEL}:503, ${MODEL}:circuit_open`);
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain('failed with status 503');
    expect((await health()).circuit).toBe('open');
  });

  it('judges a probe that streams: by its end, or when it has gone on for a while', async () => {
    await start();
    for (const model of [MODEL, OTHER, THIRD]) {
      acts[model] = fails;
      await twenty({ model });
    }
    acts[MODEL] = (response, request) => (request.body.stream ? goesOn : good)(response, request);
    acts[OTHER] = begins((response) => response.socket?.resetAndDestroy());
    acts[THIRD] = goesOn;
    moveClock(OPEN_MS);
    for (const model of [MODEL, OTHER, THIRD]) {
      expect((await health(model)).circuit).toBe('half_open');
    }

    const caller = new AbortController();
    const stream = await begun({ stream: true }, caller.signal);
    const reading = stream.text().catch((error: Error) => error.name);
    await becomes('closed', MODEL);
    expect([(await chat()).status, upstream.open]).toEqual([200, 1]);
    caller.abort();
    expect(await reading).toBe('AbortError');

    await chat({ model: OTHER, stream: true });
    expect((await health(OTHER)).circuit).toBe('open');

    await left({ model: THIRD });
    acts[THIRD] = good;
    await until(async () => (await chat({ model: THIRD })).status === 200);
  });

  it('opens for answers and first events that take longer than BREAKER_SLOW_MS', async () => {
    await start({ BREAKER_SLOW_MS: '2000' });
    const late: Handler = async (response, request) => {
      await delay(2_200);
      await good(response, request);
    };
    acts[MODEL] = acts[OTHER] = late;
    acts[THIRD] = begins((response) => {
      setTimeout(() => response.end(CHUNKS.slice(FIRST.length)), 2_200);
    });
    const [whole, streamed] = await Promise.all([
      twenty({}),
      twenty({ model: OTHER, stream: true }),
      twenty({ model: THIRD, stream: true }),
    ]);
    expect(new Set([...whole, ...streamed].map(({ status }) => status))).toEqual(new Set([200]));
    expect((await health()).p50_ms).toBeGreaterThanOrEqual(2_000);
    const after = [MODEL, OTHER, THIRD].map((model) => chat({ model, stream: true }));
    const statuses = (await Promise.all(after)).map(({ status }) => status);
    expect(statuses).toEqual([503, 503, 200]);
  });

  it('is open for as long as its provider asks, where that is longer', async () => {
    await start();
    acts[MODEL] = (response) => {
      response.writeHead(503, { ...JSON_HEAD, 'retry-after': '40' }).end('{}');
    };
    await twenty({});
    moveClock(OPEN_MS + 1_000);
    const refused = await begun({});
    expect([refused.status, (await health()).circuit]).toEqual([503, 'open']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(30);
    moveClock(40_000 - OPEN_MS);
    acts[MODEL] = good;
    expect((await health()).circuit).toBe('half_open');
    expect([(await chat()).status, upstream.received.length]).toEqual([200, 21]);
  });

  it('of a fallback is open: the model before it is asked again in its place', async () => {
    await start();
    const body = { model: OTHER, fallbacks: [MODEL] };
    let isBusy = true;
    acts[OTHER] = (...exchange) => {
      if (!isBusy) return good(...exchange);
      isBusy = false;
      exchange[0].writeHead(503, JSON_HEAD).end('{"error":{"message":"busy"}}');
    };
    expect((await begun(body)).headers.get('x-causeway-model')).toBe(MODEL);
    acts[MODEL] = fails;
    await twenty({});
    expect(await health()).toMatchObject({ circuit: 'open' });
    isBusy = true;
    const { headers } = await begun(body);
    expect(headers.get('x-causeway-attempts')).toBe(`${OTHER}:503, ${OTHER}:ok`);
  });

  it('is open for nobody when BREAKER is off', async () => {
    await start({ BREAKER: 'off' });
    acts[MODEL] = fails;
    await twenty({});
    expect(await health()).toBeUndefined();
    expect((await chat()).status).toBe(502);
  });
});
