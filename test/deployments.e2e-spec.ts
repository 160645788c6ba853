import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigError } from '../src/config/read-config.js';
import { FAILING_REST_MS } from '../src/upstream/failing-runs.js';
import { type Asked, providerAt, startAskedOn } from './support/admin.js';
import { moveClock } from './support/clock.js';
import { FakeUpstream, type Handler } from './support/fake-upstream.js';
import { API_KEY, startGateway } from './support/gateway.js';
import { png } from './support/images.js';
import { metric } from './support/metric.js';
import { CHUNKS, COMPLETION } from './support/provider-answers.js';
import { until } from './support/until.js';

const MODEL = 'openai/gpt-4o-mini';
const LIMIT = {
  error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
};
/** https://openrouter.ai/docs/api/reference/errors-and-debugging */
const NUMBERED = { error: { message: 'Slow down', code: 429 } };
const messages = [{ role: 'user', content: 'Hello' }];

describe('several keys of one provider', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  const settings = () => ({
    OPENAI_API_KEY: 'key-1',
    OPENAI_API_KEY_2: 'key-2',
    OPENAI_API_KEY_3: 'key-3',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    // Shorter than a key that is used up asks to be left alone.
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000',
  });
  /** What each key answers with; 200 unless it says something else. */
  let refusals: Record<string, number>;
  let retryAfter: string;

  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    upstream.received.length = 0;
    refusals = {};
    retryAfter = '30';
    upstream.answers((response, { headers, body }) => {
      const status = refusals[keyIn(headers)] ?? 200;
      const isStream = status === 200 && body.stream === true;
      response.writeHead(status, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
        ...(status === 429 && { 'retry-after': retryAfter }),
      });
      const error = { error: { message: `no ${status}`, type: 'server_error' } };
      response.end(isStream ? CHUNKS : JSON.stringify(status === 200 ? COMPLETION : error));
    });
    gateway = await startAskedOn(settings());
  });
  afterEach(() => gateway.close());

  const keyIn = (headers: { authorization?: string | undefined }) =>
    (headers.authorization ?? '').replace('Bearer ', '');
  const keys = () => upstream.received.map(({ headers }) => keyIn(headers));
  /** Calls on until each of them has been asked: which one serves is chance. */
  const askUntilCalled = async (...wanted: string[]) => {
    while (!wanted.every((key) => keys().includes(key))) expect((await chat()).status).toBe(200);
  };
  const chat = (body: object = {}) =>
    gateway.ask('POST /v3/chat/completions', { model: MODEL, messages, ...body }, { key: API_KEY });

  const answer = (body: object) =>
    gateway.begin(
      'POST /v3/chat/completions',
      { model: MODEL, messages, ...body },
      { key: API_KEY },
    );

  it('share the calls', async () => {
    for (let index = 0; index < 60; index++) expect((await chat()).status).toBe(200);
    expect(new Set(keys())).toEqual(new Set(['key-1', 'key-2', 'key-3']));
  });

  it('take turns where calls come one after the other', async () => {
    for (let index = 0; index < 9; index++) expect((await chat()).status).toBe(200);
    expect(keys().toSorted()).toEqual(
      ['key-1', 'key-2', 'key-3'].flatMap((key) => [key, key, key]),
    );
  });

  it('share calls that run at once evenly', async () => {
    upstream.answers((response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(COMPLETION));
      }, 300);
    });
    await Promise.all(Array.from({ length: 9 }, () => chat()));
    expect(keys().sort()).toEqual(['key-1', 'key-2', 'key-3'].flatMap((key) => [key, key, key]));
  });

  it.each([429, 401, 402, 403, 404])(
    'serve for one another after %i, at once and from then on',
    async (no) => {
      refusals = { 'key-1': no, 'key-2': no };
      for (let index = 0; index < 20; index++) {
        const { status, headers } = await chat();
        expect([status, headers.get('x-causeway-attempts')]).toEqual([
          200,
          expect.stringMatching(new RegExp(`^(${MODEL}:${no}, ){0,2}${MODEL}:ok$`)),
        ]);
      }
      expect(keys().filter((key) => key === 'key-1').length).toBeLessThanOrEqual(1);
      expect(keys().filter((key) => key === 'key-2').length).toBeLessThanOrEqual(1);
    },
  );

  it.each([429, 401])(
    'serve for one another after %i in what is asked for in parts, also for those that are refused late',
    async (no) => {
      let refusing: string | undefined;
      let isMoved = false;
      const late: (() => void)[] = [];
      upstream.answers((response, { headers }) => {
        const key = keyIn(headers);
        const isFirst = refusing === undefined;
        refusing ??= key;
        isMoved ||= key !== refusing;
        response.setHeader('content-type', 'application/json');
        const refuse = (): void => void response.writeHead(no, { 'retry-after': '30' }).end('{}');
        if (key !== refusing) response.end(JSON.stringify({ data: [{ b64_json: 'AAAA' }] }));
        else if (isFirst || isMoved) refuse();
        else late.push(refuse);
        if (isMoved) for (const refuseIt of late.splice(0)) refuseIt();
      });
      const pictures = { model: 'openai/dall-e-3', prompt: 'A cat', n: 4 };
      const made = await gateway.ask('POST /v3/images/generations', pictures, { key: API_KEY });
      expect([made.status, made.headers.get('x-causeway-attempts')]).toEqual([
        200,
        `${pictures.model}:${no}, ${pictures.model}:ok`,
      ]);
      expect(made.body.data).toHaveLength(4);
    },
  );

  it('are spared when they are used up, also where the refusal breaks off', async () => {
    upstream.answers((response, { headers }) => {
      const isUsedUp = keyIn(headers) === 'key-1';
      const type = { 'content-type': 'application/json' };
      response.writeHead(isUsedUp ? 429 : 200, {
        ...type,
        ...(isUsedUp && { 'retry-after': '30' }),
      });
      if (isUsedUp) response.write('{"error":', () => response.socket?.resetAndDestroy());
      else response.end(JSON.stringify(COMPLETION));
    });
    for (let index = 0; index < 30; index++) expect((await chat()).status).toBe(200);
    expect(keys().filter((key) => key === 'key-1')).toHaveLength(1);
  });

  it.each([
    ['a whole answer', false, 'application/json', JSON.stringify(LIMIT)],
    [
      'the first event of a stream',
      true,
      'text/event-stream',
      `data: ${JSON.stringify(LIMIT)}\n\n`,
    ],
    ['a whole answer, by its number', false, 'application/json', JSON.stringify(NUMBERED)],
    [
      'the first event of a stream, by its number',
      true,
      'text/event-stream',
      `data: ${JSON.stringify(NUMBERED)}\n\n`,
    ],
  ])('are spared when the limit is told inside of %s', async (_, stream, type, refusal) => {
    upstream.answers((response, { headers }) => {
      const isUsedUp = keyIn(headers) === 'key-1';
      response.writeHead(200, { 'content-type': type });
      response.end(isUsedUp ? refusal : stream ? CHUNKS : JSON.stringify(COMPLETION));
    });
    const said = async () => (await (await answer({ stream })).text()).includes('Hi');
    expect(await Promise.all(Array.from({ length: 12 }, said))).not.toContain(false);
    upstream.received.length = 0;
    for (let index = 0; index < 9; index++) expect(await said()).toBe(true);
    expect(keys().filter((key) => key === 'key-1')).toHaveLength(0);
  });

  it('are spared when one is refused inside of the first event of a translated stream', async () => {
    upstream.answers((response, { headers }) => {
      const error = { message: 'No', code: 401 };
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(keyIn(headers) === 'key-1' ? `data: ${JSON.stringify({ error })}\n\n` : CHUNKS);
    });
    const body = { model: MODEL, max_tokens: 9, messages, stream: true };
    const said = async () => {
      const reply = await gateway.begin('POST /v3/v1/messages', body, { key: API_KEY });
      return (await reply.text()).includes('Hi');
    };
    for (let index = 0; index < 20; index++) expect(await said()).toBe(true);
    expect(keys().filter((key) => key === 'key-1').length).toBeLessThanOrEqual(1);
  });

  it('are each asked once when all refuse and let it be tried again at once', async () => {
    upstream.answers((response) => {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after-ms': '0' });
      response.end(JSON.stringify(LIMIT));
    });
    for (let index = 0; index < 20; index++) expect((await chat()).status).toBe(429);
    // Three keys, then one for each request and the retries that the budget allows.
    expect(keys().length).toBeLessThanOrEqual(20 * 1.1 + 5 + 2);
  });

  it('that fail at once do not keep the model from the one that works', async () => {
    await gateway.close();
    gateway = await startAskedOn({ ...settings(), BREAKER: 'on' });
    upstream.answers(async (response, { headers }) => {
      await until(() => upstream.received.length >= 60);
      const works = keyIn(headers) === 'key-3';
      response.writeHead(works ? 200 : 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(COMPLETION));
    });
    const answers = await Promise.all(Array.from({ length: 60 }, () => chat()));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(20).fill(200), ...Array(40).fill(502)]);
    for (let index = 0; index < 20; index++) expect((await chat()).status).toBe(200);
  });

  it('of which most fail open no circuit while one works', async () => {
    await gateway.close();
    const failing = [4, 5, 6, 7, 8].map((number) => [`OPENAI_API_KEY_${number}`, `key-${number}`]);
    gateway = await startAskedOn({ ...settings(), ...Object.fromEntries(failing), BREAKER: 'on' });
    refusals = Object.fromEntries([1, 2, 4, 5, 6, 7, 8].map((number) => [`key-${number}`, 500]));
    const statuses = new Set<number>();
    for (let index = 0; index < 80; index++) statuses.add((await chat()).status);
    expect([...statuses].sort()).toEqual([200, 502]);
    refusals['key-3'] = 500;
    for (let index = 0; index < 20; index++) statuses.add((await chat()).status);
    expect(statuses).toContain(503);
  });

  it('tell how they stand, without a word of the keys', async () => {
    refusals = { 'key-1': 429, 'key-2': 429 };
    await askUntilCalled('key-1', 'key-2');
    const { body } = await gateway.ask('GET /v3/admin/providers');
    const { deployments } = body.data.find(({ name }: { name: string }) => name === 'openai');
    const rests = deployments.map(({ rest_ms }: { rest_ms: number }) => rest_ms > 25_000);
    expect(rests).toEqual([true, true, false]);
    expect(deployments[2]).toEqual({ address: upstream.url, running: 0, rest_ms: 0 });
    expect(JSON.stringify(body)).not.toContain('key-');
  });

  it('show in the metrics which of them rest, and neither keys nor addresses', async () => {
    refusals = { 'key-2': 429 };
    await askUntilCalled('key-2');
    const restOf = (number: number) =>
      metric(gateway, `causeway_deployment_rest_seconds{deployment="openai/${number}"}`);
    expect([await restOf(1), await restOf(3)]).toEqual([0, 0]);
    expect(await restOf(2)).toBeGreaterThan(25);
    expect(await restOf(2)).toBeLessThanOrEqual(30);
    const text = await (await fetch(`${gateway.url}/metrics`)).text();
    expect(text).not.toMatch(/key-\d|127\.0\.0\.1/);
  });

  it('serve for one another before a stream begins, charged once', async () => {
    refusals = { 'key-1': 429, 'key-2': 429 };
    const reply = await answer({ stream: true });
    expect(await reply.text()).toContain('"content":"Hi"');
    const usage = await gateway.ask('GET /v3/usage', undefined, { key: API_KEY });
    expect(usage.body.data[0]).toMatchObject({ requests: 1, errors: 0, output_tokens: 4 });
  });

  it('are not at fault for what OpenAI stops, with whatever status', async () => {
    const message = 'This request was blocked by our safety systems.';
    const code = 'misalignment_policy_violation';
    upstream.answers((response) => {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message, type: 'invalid_request_error', code } }));
    });
    const { status, body } = await chat();
    expect([status, body.error]).toMatchObject([400, { message, code }]);
    expect(upstream.received.length).toBe(1);
  });

  it('come before another model', async () => {
    refusals = { 'key-1': 429, 'key-2': 429 };
    const { headers } = await chat({ fallbacks: ['openai/gpt-4o'] });
    expect(headers.get('x-causeway-model')).toBe(MODEL);
  });

  it('are each asked once when all refuse, and the limit is the caller’s answer', async () => {
    refusals = { 'key-1': 429, 'key-2': 429, 'key-3': 429 };
    const first = await chat();
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '30']);
    expect(keys().sort()).toEqual(['key-1', 'key-2', 'key-3']);
    await chat();
    expect(upstream.received.length).toBe(4);
  });

  it('are waited for when all refuse, as a single one is', async () => {
    upstream.answers((response) => {
      const isRefused = upstream.received.length <= 3;
      const again = isRefused && { 'retry-after-ms': '50' };
      response.writeHead(isRefused ? 429 : 200, { 'content-type': 'application/json', ...again });
      response.end(JSON.stringify(isRefused ? LIMIT : COMPLETION));
    });
    expect((await chat()).status).toBe(200);
    expect(keys().slice(0, 3).sort()).toEqual(['key-1', 'key-2', 'key-3']);
  });

  it.each(['key-1', 'key-2', 'key-3'])(
    'do not hide that %s is used up when the others are refused',
    async (usedUp) => {
      refusals = { 'key-1': 401, 'key-2': 403, 'key-3': 401, [usedUp]: 429 };
      const { status, headers } = await chat();
      expect([status, headers.get('retry-after')]).toEqual([429, '30']);
      expect(keys().sort()).toEqual(['key-1', 'key-2', 'key-3']);
    },
  );

  it.each([401, 404])(
    'do not hide that one is used up since an earlier call when the other answers %i',
    async (no) => {
      await gateway.close();
      gateway = await startAskedOn({ ...settings(), OPENAI_API_KEY_3: '' });
      refusals = { 'key-1': 429 };
      await askUntilCalled('key-1');
      refusals = { 'key-1': 429, 'key-2': no };
      const { status, headers } = await chat();
      expect(status).toBe(429);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(30);
    },
  );

  it('say as one that a model is not there when none of them has it', async () => {
    refusals = { 'key-1': 404, 'key-2': 404, 'key-3': 404 };
    expect((await chat()).status).toBe(404);
    expect(keys().sort()).toEqual(['key-1', 'key-2', 'key-3']);
    expect((await chat()).status).toBe(404);
    expect(upstream.received.length).toBe(4);
  });

  it('are refused as one when all of them are', async () => {
    refusals = { 'key-1': 401, 'key-2': 403, 'key-3': 401 };
    expect((await chat()).status).toBe(502);
  });

  describe('of which one fails again and again', () => {
    const stream = async () => {
      const reply = await answer({ stream: true });
      return (await reply.text()).trimEnd().endsWith('data: [DONE]');
    };
    const first = CHUNKS.slice(0, CHUNKS.indexOf('\n\n') + 2);
    const failing = () => keys().filter((key) => key === 'key-1').length;

    it.each<[string, Handler, () => Promise<unknown>]>([
      ['500s', (response) => void response.writeHead(500).end('{}'), () => chat()],
      ['answers that are none', (response) => void response.end('nope'), () => chat()],
      [
        'streams that break',
        (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.write(first, () => {
            setTimeout(() => response.socket?.resetAndDestroy(), 20);
          });
        },
        stream,
      ],
    ])('let it rest after five %s, and come back to it', async (_, fail, ask) => {
      let isMended = false;
      upstream.answers((response, request) => {
        if (keyIn(request.headers) === 'key-1' && !isMended) return fail(response, request);
        const { stream: isStream } = request.body;
        const type = isStream ? 'text/event-stream' : 'application/json';
        response.writeHead(200, { 'content-type': type });
        response.end(isStream ? `${CHUNKS}data: [DONE]\n\n` : JSON.stringify(COMPLETION));
      });
      while (failing() < 5) await ask();
      const served = await Promise.all(Array.from({ length: 6 }, () => stream()));
      expect([served, failing()]).toEqual([served.map(() => true), 5]);
      isMended = true;
      moveClock(FAILING_REST_MS);
      await until(async () => {
        await ask();
        return failing() > 5;
      });
      expect(await stream()).toBe(true);
    });

    it('serve all the same when they all do', async () => {
      refusals = { 'key-1': 500, 'key-2': 500, 'key-3': 500 };
      for (let index = 0; index < 20; index++) expect((await chat()).status).toBe(502);
      expect(upstream.received.length).toBe(20);
    });
  });

  it('rest as long as they were asked to, and no longer', async () => {
    retryAfter = '1';
    refusals = { 'key-1': 429 };
    let askedAt = 0;
    const reachesTheFirst = async () => {
      askedAt = performance.now();
      await chat();
      return keys().includes('key-1');
    };
    await until(reachesTheFirst);
    const restsSince = askedAt;
    refusals = {};
    upstream.received.length = 0;
    await until(reachesTheFirst);
    // Timers may fire a millisecond early.
    expect(performance.now() - restsSince).toBeGreaterThanOrEqual(990);
    expect(new Set(keys())).toEqual(new Set(['key-1', 'key-2', 'key-3']));
  });
});

describe('the deployments of MODELS_FILE', () => {
  const upstreams = [new FakeUpstream(), new FakeUpstream()] as const;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'causeway-deployments-'));
    for (const upstream of upstreams) {
      await upstream.listen();
      upstream.replies(200, COMPLETION);
    }
  });
  afterAll(async () => {
    for (const upstream of upstreams) await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });

  const file = async (text: string): Promise<string> => {
    const path = join(folder, 'models.yaml');
    await writeFile(path, text);
    return path;
  };

  it('serve a provider of one’s own and a built-in one by weight, each with its own key', async () => {
    const [one, two] = upstreams;
    // Paths of their own, because a key at an address rests for everybody who uses it.
    const list = (path: string) =>
      `[{ base_url: ${one.url}${path}, api_key_env: KEY_ONE, weight: 1000000 }, ` +
      `{ base_url: ${two.url}${path}, api_key_env: KEY_TWO }]`;
    const MODELS_FILE = await file(`
providers:
  my: { format: openai, base_url: ${one.url}/my, deployments: ${list('/my')} }
  openai: { deployments: ${list('/v1')} }
models:
  my/model: { endpoints: [messages], pricing: { input_cost_per_token: 0, output_cost_per_token: 0 } }
`);
    const gateway = await startAskedOn({ MODELS_FILE, KEY_ONE: 'one', KEY_TWO: 'two' });
    const ask = (model: string) =>
      gateway.ask('POST /v3/chat/completions', { model, messages }, { key: API_KEY });
    for (const model of ['my/model', MODEL]) {
      one.received.length = two.received.length = 0;
      one.replies(200, COMPLETION);
      expect((await ask(model)).status).toBe(200);
      expect([one.last.headers.authorization, two.received.length]).toEqual(['Bearer one', 0]);
      one.replies(429, { error: { message: 'slow down' } }, { 'retry-after': '60' });
      for (let index = 0; index < 3; index++) expect((await ask(model)).status).toBe(200);
      expect(two.last.headers.authorization).toBe('Bearer two');
      expect(one.received.length).toBe(2);
    }
    await gateway.close();
  });

  it('give images at their own address', async () => {
    const [one, two] = upstreams;
    const image = png(8, 8);
    two.answers((response, { method }) => {
      if (method === 'GET') response.writeHead(200, { 'content-type': 'image/png' }).end(image);
      else response.end(JSON.stringify({ created: 1, data: [{ url: `${two.url}/1.png` }] }));
    });
    const list = `[{ base_url: ${one.url}/i }, { base_url: ${two.url}/i, weight: 1000000 }]`;
    const MODELS_FILE = await file(`
providers: { my: { format: openai, base_url: ${one.url}/i, deployments: ${list} } }
models:
  my/image: { endpoints: [images], pricing: { output_cost_per_image: 0 } }
`);
    const gateway = await startAskedOn({ MODELS_FILE });
    const asked = { model: 'my/image', prompt: 'x', response_format: 'b64_json' };
    const { body } = await gateway.ask('POST /v3/images/generations', asked, { key: API_KEY });
    expect(body.data[0].b64_json).toBe(image.toString('base64'));
    await gateway.close();
  });

  it('serve for one that cannot be reached, however fast it fails', async () => {
    const [live] = upstreams;
    live.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      setTimeout(() => response.end(JSON.stringify(COMPLETION)), 50);
    });
    const list = `[{ base_url: ${live.url}/d, weight: 1 }, { base_url: http://127.0.0.1:1/d, weight: 9 }]`;
    const MODELS_FILE = await file(`
providers: { my: { format: openai, base_url: ${live.url}/d, deployments: ${list} } }
models:
  my/model: { endpoints: [messages], pricing: { input_cost_per_token: 0, output_cost_per_token: 0 } }
`);
    const gateway = await startAskedOn({ MODELS_FILE });
    const body = { model: 'my/model', messages, fallbacks: ['sandbox/echo'] };
    const ask = () => gateway.ask('POST /v3/chat/completions', body, { key: API_KEY });
    for (let burst = 0; burst < 3; burst++) {
      const answers = await Promise.all(Array.from({ length: 20 }, ask));
      const served = answers.map(({ headers }) => headers.get('x-causeway-model'));
      expect(new Set(served)).toEqual(new Set(['my/model']));
    }
    await gateway.close();
  });

  it('rest on, whatever the sandbox answers in their place to a key of its own', async () => {
    const MODELS_FILE = await file(`
providers: { openai: { deployments: [{ base_url: http://127.0.0.1:1/v1 }, { base_url: http://127.0.0.1:2/v1 }] } }
`);
    const gateway = await startAskedOn({ MODELS_FILE, OPENAI_API_KEY: 'key-1' });
    const { body: account } = await gateway.ask('POST /v3/admin/accounts', { name: 'a' });
    const { body: made } = await gateway.ask(`POST /v3/admin/accounts/${account.id}/keys`, {
      name: 'play',
      type: 'sandbox',
    });
    const ask = (key: string) =>
      gateway.ask('POST /v3/chat/completions', { model: MODEL, messages }, { key });
    const areResting = async () =>
      (await providerAt(gateway, 'openai')).deployments.map((each: any) => each.rest_ms > 0);
    expect((await ask(API_KEY)).status).toBe(502);
    expect(await areResting()).toEqual([true, true]);
    for (let index = 0; index < 4; index++) expect((await ask(made.key)).status).toBe(200);
    expect(await areResting()).toEqual([true, true]);
    await gateway.close();
  });

  describe('of which one lacks the model', () => {
    const [has, lacks] = upstreams;
    let gateway: Asked;
    beforeEach(async () => {
      has.received.length = lacks.received.length = 0;
      lacks.replies(404, { error: { message: 'The model `m1` does not exist.' } });
      // A path of their own, because they are known by it.
      const list = `[{ base_url: ${has.url}/l }, { base_url: ${lacks.url}/l }]`;
      const MODELS_FILE = await file(`
providers: { my: { format: openai, base_url: ${has.url}/l, deployments: ${list} } }
models:
  my/m1: { endpoints: [messages], pricing: { input_cost_per_token: 0, output_cost_per_token: 0 } }
`);
      gateway = await startAskedOn({ MODELS_FILE, BREAKER: 'on' });
    });
    afterEach(() => gateway.close());
    const ask = () =>
      gateway.ask('POST /v3/chat/completions', { model: 'my/m1', messages }, { key: API_KEY });

    it('have a circuit that opens by the failures of the other one', async () => {
      has.replies(500, {});
      const statuses = [];
      for (let index = 0; index < 40; index++) statuses.push((await ask()).status);
      expect(statuses).toContain(503);
    });

    it('are waited for as long as the other one asks', async () => {
      has.replies(429, LIMIT, { 'retry-after': '40' });
      const { status, headers } = await ask();
      expect([status, headers.get('retry-after')]).toEqual([429, '40']);
      expect([has.received.length, lacks.received.length]).toEqual([1, 1]);
    });
  });

  it('stop the start when they are wrong', async () => {
    const MODELS_FILE = await file('providers: { openai: { deployments: [{ weight: 0 }] } }');
    await expect(startGateway({ MODELS_FILE })).rejects.toThrow(
      /providers\.openai\.deployments\.0 needs base_url or api_key_env[\s\S]*weight must be a number, more than 0/,
    );
  });

  it('stop the start when they do not fit the settings, with the line on which they stand', async () => {
    const MODELS_FILE = await file(`
providers:
  anthropic:
    deployments: [{ base_url: http://127.0.0.1:1 }]
  openai:
    deployments:
      - base_url: http://127.0.0.1:1/v1
      - base_url: http://127.0.0.1:1/v2
  azure-openai:
    deployments: [{ api_key_env: KEY_ONE }]
`);
    const env = {
      ...{ MODELS_FILE, KEY_ONE: 'one', OPENAI_API_KEY: 'a', OPENAI_API_KEY_2: 'a' },
      ...{ MISTRAL_BASE_URL_2: 'http://127.0.0.1:2' },
    };
    const { problems } = await startGateway(env).then(
      () => ({ problems: [] }),
      (error: ConfigError) => error,
    );
    expect(problems).toEqual([
      'OPENAI_API_KEY_2 is the same key as OPENAI_API_KEY',
      'MISTRAL_BASE_URL_2 is no setting: more addresses are deployments in MODELS_FILE',
      'MODELS_FILE line 4: providers.anthropic.deployments needs ANTHROPIC_API_KEY, or api_key_env in each',
      'MODELS_FILE line 6: providers.openai.deployments and OPENAI_API_KEY_2 exclude each other',
      'MODELS_FILE line 8: providers.openai.deployments.1 must have the path /v1 in its base_url',
      'MODELS_FILE line 10: providers.azure-openai.deployments needs AZURE_OPENAI_BASE_URL, or base_url in each',
    ]);
  });
});
