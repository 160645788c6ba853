import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../src/database/database.service.js';
import { type Asked, callEcho, startAskedOn } from './support/admin.js';
import { describeEveryEngine, temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { COMPLETION } from './support/provider-answers.js';

const MODEL = 'openai/gpt-4o-mini';
const PATH = `PUT /v3/admin/models/${encodeURIComponent(MODEL)}`;
/** Long enough for a replica to look twice. */
const SECONDS = 5_000;

describeEveryEngine('models and providers by the management API', (engine) => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  /** Shares the database and nothing else. */
  let replica: Asked;
  /** Has no ENCRYPTION_KEY. */
  let open: Asked;
  const ask: Asked['ask'] = (...question) => gateway.ask(...question);
  beforeAll(async () => {
    await upstream.listen();
    upstream.replies(200, COMPLETION);
    const shared = { OPENAI_BASE_URL: `${upstream.url}/v1`, ...(await engine.fresh()) };
    const env = { ...shared, ENCRYPTION_KEY: randomBytes(32).toString('base64') };
    gateway = await startAskedOn({
      ...env,
      OPENAI_API_KEY: 'key-of-the-environment',
      BREAKER: 'on',
    });
    replica = await startAskedOn(env);
    open = await startAskedOn(shared);
  });
  afterAll(async () => {
    await Promise.all([gateway, replica, open, upstream].map((server) => server.close()));
  });

  const call = (asked: Asked, model = MODEL) => callEcho(asked, API_KEY, {}, model);
  const until = async (test: () => Promise<boolean>) => {
    for (const end = Date.now() + SECONDS; Date.now() < end; await delay(100)) {
      if (await test()) return true;
    }
    return false;
  };

  describe('a model', () => {
    it('costs what it was said to cost, at once here and within seconds elsewhere', async () => {
      const pricing = { input_cost_per_token: 0.001, output_cost_per_token: 0.01 };
      const { status, body } = await ask(PATH, { pricing });
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: MODEL, enabled: true, pricing, regions: [] });
      // 10 × 0.001 + 4 × 0.01
      expect((await call(gateway)).body.cost).toBe(0.05);
      const listed = await ask(`GET /v3/models/${MODEL}`);
      expect(listed.body.pricing).toMatchObject(pricing);

      const echo = { input_cost_per_token: 1, output_cost_per_token: 0 };
      await ask('PUT /v3/admin/models/sandbox/echo', { pricing: echo });
      expect(await until(async () => (await callEcho(replica)).body.cost >= 1)).toBe(true);
    });

    it('has its list price back when none is set', async () => {
      const before = (await ask(PATH, {})).body.pricing;
      const pricing = { input_cost_per_token: 0, output_cost_per_token: 0.5 };
      expect((await ask(PATH, { pricing })).body.pricing).toEqual(pricing);
      expect((await ask(PATH, { pricing: null })).body.pricing).toEqual(before);
    });

    it('can be switched off, and on again', async () => {
      expect((await ask(PATH, { enabled: false })).body.enabled).toBe(false);
      expect((await call(gateway)).status).toBe(404);
      expect((await ask(`GET /v3/models/${MODEL}`)).status).toBe(404);
      expect((await ask(PATH, { enabled: true })).body.enabled).toBe(true);
      expect((await call(gateway)).status).toBe(200);
    });

    it('is served only in its regions', async () => {
      const account = (await ask('POST /v3/admin/accounts', { name: 'US', region: 'us' })).body;
      const path = `POST /v3/admin/accounts/${account.id}/keys`;
      const { key } = (await ask(path, { name: 'k' })).body;
      expect((await ask(PATH, { regions: ['EU'] })).body.regions).toEqual([
        { code: 'eu', name: 'Europe' },
      ]);
      expect((await callEcho(gateway, key, {}, MODEL)).status).toBe(451);
      await ask(PATH, { regions: [] });
      expect((await callEcho(gateway, key, {}, MODEL)).status).toBe(200);
    });

    it.each([
      [{ price: 1 }, 'price'],
      [{ enabled: 'yes' }, 'enabled'],
      [{ pricing: { input: 1 } }, 'pricing'],
      [{ pricing: { input_cost_per_token: 1 } }, 'pricing'],
      [{ pricing: { input_cost_per_token: -1 } }, 'pricing'],
      [{ pricing: { input_cost_per_token: 1e-13 } }, 'pricing'],
      [{ pricing: { input_cost_per_token: '1' } }, 'pricing'],
      [{ pricing: { tiers: [{ input_cost_per_token: 1 }] } }, 'pricing'],
      [{ regions: ['the moon'] }, 'regions'],
    ])('refuses the settings %j', async (settings, param) => {
      const { status, body } = await ask(PATH, settings);
      expect([status, body.error.param]).toEqual([400, param]);
    });

    it('is not made up', async () => {
      for (const id of ['openai/nope', 'nope/nope', 'sandbox%2Fnope']) {
        expect((await ask(`PUT /v3/admin/models/${id}`, { enabled: true })).status).toBe(404);
      }
    });
  });

  describe('a provider’s key', () => {
    const path = '/v3/admin/providers/openai/credentials';
    const sent = () => upstream.received.at(-1)?.headers.authorization;

    it('stands in front of the environment’s, at once here and within seconds elsewhere', async () => {
      expect((await call(replica)).status).toBe(404);
      expect((await ask(`GET ${path}`)).body).toEqual({
        ...{ provider: 'openai', configured: true, source: 'environment', updated_at: null },
      });
      const { status, body } = await ask(`PUT ${path}`, { api_key: 'key-of-the-database' });
      expect(status).toBe(200);
      expect(body).toMatchObject({ source: 'database', updated_at: expect.stringMatching(/Z$/) });
      await call(gateway);
      expect(sent()).toBe('Bearer key-of-the-database');
      expect(await until(async () => (await call(replica)).status === 200)).toBe(true);
      expect(sent()).toBe('Bearer key-of-the-database');
    });

    it('is neither shown nor kept as it is', async () => {
      const shown = [await ask(`GET ${path}`), await ask('GET /v3/admin/providers')];
      expect(JSON.stringify(shown)).not.toContain('key-of-the-');
      const rows = await gateway.app
        .get(Database)
        .read((kysely) => kysely.selectFrom('provider_credentials').selectAll().execute());
      expect(rows).toMatchObject([{ name: 'openai' }]);
      expect(JSON.stringify(rows)).not.toContain('key-of-the-database');
      expect(Buffer.from(rows[0]!.ciphertext, 'base64').toString()).not.toContain('key-of');
    });

    it('gives way to the environment’s when it is removed', async () => {
      expect((await ask(`DELETE ${path}`)).body).toMatchObject({ source: 'environment' });
      await call(gateway);
      expect(sent()).toBe('Bearer key-of-the-environment');
      expect(await until(async () => (await call(replica)).status === 404)).toBe(true);
      expect((await ask(`DELETE ${path}`)).status).toBe(200);
    });

    it.each(['azure-openai', 'vllm', 'bedrock'])(
      'is not taken for %s, whose address nobody knows',
      async (provider) => {
        const path = `/v3/admin/providers/${provider}/credentials`;
        const { status, body } = await ask(`PUT ${path}`, { api_key: 'sk-0123456789' });
        expect([status, body.error.code]).toEqual([400, 'invalid_request']);
        expect(body.error.message).toContain('_BASE_URL');
        expect((await ask(`GET ${path}`)).body).toMatchObject({ configured: false, source: null });
      },
    );

    it('needs ENCRYPTION_KEY, and says so', async () => {
      const { status, body } = await open.ask(`PUT ${path}`, { api_key: 'x' });
      expect(status).toBe(400);
      expect(body.error.message).toContain('ENCRYPTION_KEY');
    });

    it.each([[{}], [{ api_key: '' }], [{ api_key: 'a b' }], [{ api_key: 'x', base_url: 'y' }]])(
      'refuses %j',
      async (body) => {
        expect((await ask(`PUT ${path}`, body)).status).toBe(400);
      },
    );

    it('is refused where no call would go with it, as each deployment names its own', async () => {
      const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
      const deployments = (...keys: string[]) =>
        `providers:\n  openai:\n    deployments: [${keys.join(', ')}]\n`;
      await writeFile(MODELS_FILE, deployments('{ api_key_env: KEY_A }', '{ api_key_env: KEY_B }'));
      const settings = { ...(await engine.fresh()), OPENAI_BASE_URL: `${upstream.url}/v1` };
      const ENCRYPTION_KEY = randomBytes(32).toString('base64');
      const keys = { KEY_A: 'key-a', KEY_B: 'key-b', OPENAI_API_KEY: 'own' };
      const listed = await startAskedOn({ ...settings, ...keys, ENCRYPTION_KEY, MODELS_FILE });
      try {
        const set = () =>
          listed.ask('PUT /v3/admin/providers/openai/credentials', { api_key: 'new-key' });
        expect(await set()).toMatchObject({
          status: 400,
          body: { error: { message: expect.stringContaining('names its own') } },
        });
        const url = '{ base_url: "' + upstream.url + '/v1", weight: 2 }';
        await writeFile(MODELS_FILE, deployments('{ api_key_env: KEY_A }', url));
        expect(await until(async () => (await set()).status === 200)).toBe(true);
        const told = () => listed.ask('GET /v3/admin/providers/openai/credentials');
        expect((await told()).body).toMatchObject({ configured: true, source: 'database' });
        await writeFile(
          MODELS_FILE,
          deployments('{ api_key_env: KEY_A }', '{ api_key_env: KEY_B }'),
        );
        const source = async () => (await told()).body.source;
        expect(await until(async () => (await source()) === 'environment')).toBe(true);
      } finally {
        await listed.close();
      }
    });

    it('is refused where it is a numbered one already, and then neither kept nor shown', async () => {
      const ENCRYPTION_KEY = randomBytes(32).toString('base64');
      const keys = {
        OPENAI_API_KEY: 'key-1',
        OPENAI_API_KEY_2: 'key-2',
        OPENAI_API_KEY_3: 'key-3',
      };
      const numbered = await startAskedOn({ ...(await engine.fresh()), ...keys, ENCRYPTION_KEY });
      try {
        const set = (api_key: string) => numbered.ask(`PUT ${path}`, { api_key });
        for (const key of ['key-2', 'key-3']) {
          const { status, body } = await set(key);
          expect([status, body.error.code]).toEqual([400, 'invalid_request']);
          expect(body.error.message).toContain('already');
          expect(body.error.message).not.toContain(key);
        }
        expect((await numbered.ask(`GET ${path}`)).body).toMatchObject({ source: 'environment' });
        for (const key of ['key-1', 'key-4']) expect((await set(key)).status).toBe(200);
      } finally {
        await numbered.close();
      }
    });

    it('is of no use to the sandbox', async () => {
      const { status } = await ask('PUT /v3/admin/providers/sandbox/credentials', { api_key: 'x' });
      expect(status).toBe(400);
    });
  });

  it('tells how the providers are doing', async () => {
    await callEcho(gateway, API_KEY, {}, 'sandbox/error-500');
    upstream.replies(500, {});
    await call(gateway);
    upstream.replies(200, COMPLETION);
    await call(gateway);
    const { body } = await ask('GET /v3/admin/providers');
    const byName = Object.fromEntries(body.data.map((row: any) => [row.name, row]));
    expect(byName.openai).toMatchObject({
      ...{ configured: true, credentials: 'environment', circuit: 'closed' },
      ...{ requests: expect.any(Number), p50_ms: expect.any(Number), p95_ms: expect.any(Number) },
      success_rate: expect.closeTo(1 - 1 / byName.openai.requests, 9),
    });
    const [model, ...others] = byName.openai.models;
    expect([model, others]).toEqual([
      {
        ...{ model: MODEL, circuit: 'closed', failures: 1 },
        ...{ calls: expect.any(Number), p50_ms: expect.any(Number) },
      },
      [],
    ]);
    expect(model.calls).toBeGreaterThan(1);
    expect(byName.sandbox.models).toEqual([]);
    expect(byName.sandbox.success_rate).toBeLessThan(1);
    expect(byName.anthropic).toEqual({
      ...{ name: 'anthropic', configured: false, credentials: null, circuit: 'closed' },
      ...{ models: [], deployments: [] },
      ...{ requests: 0, success_rate: null, p50_ms: null, p95_ms: null },
    });
  });

  it('counts the tries that a fallback followed, and no calls that were not made', async () => {
    const told = async (name: string) => {
      const { body } = await ask('GET /v3/admin/providers');
      return body.data.find((row: { name: string }) => row.name === name);
    };
    const before = await told('openai');
    upstream.replies(500, {});
    for (let index = 0; index < 3; index++) {
      const messages = [{ role: 'user', content: 'Hello' }];
      const body = { model: MODEL, fallbacks: ['sandbox/echo'], messages };
      const { status } = await ask('POST /v3/chat/completions', body, { key: API_KEY });
      expect(status).toBe(200);
    }
    upstream.replies(200, COMPLETION);
    const after = await told('openai');
    expect(after.requests).toBe(before.requests + 3);
    const answered = before.requests * before.success_rate;
    expect(after.success_rate).toBeCloseTo(answered / after.requests);
  });
});
