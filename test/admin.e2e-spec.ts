import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { RouteTable } from '../src/http/route-table.js';
import { type Asked, callEcho, startAsked } from './support/admin.js';
import { describeEveryEngine } from './support/databases.js';
import { API_KEY } from './support/gateway.js';

describeEveryEngine('the management API', (engine) => {
  let gateway: Asked;
  const ask: Asked['ask'] = (...question) => gateway.ask(...question);
  beforeAll(async () => {
    gateway = await startAsked(engine);
  });
  afterAll(() => gateway.close());

  const newAccount = async (settings: object = {}) =>
    (await ask('POST /v3/admin/accounts', { name: 'Tenant', ...settings })).body;
  const newKey = async (account: string, settings: object = {}) =>
    (await ask(`POST /v3/admin/accounts/${account}/keys`, { name: 'k', ...settings })).body;

  it('asks every route for a key with the scope admin', async () => {
    const routes = gateway.app
      .get(RouteTable, { strict: false })
      .routes()
      .filter(({ path }) => path.startsWith('/v3/admin'))
      .flatMap(({ path, methods }) => methods.map((method) => [method, path] as const));
    expect(routes.length).toBe(19);
    for (const [method, path] of routes) {
      const route = `${method} ${path.replace('*id', 'a/b').replace(/:\w+/g, 'x')}`;
      expect([route, (await ask(route, undefined, { key: '' })).status]).toEqual([route, 401]);
      const { status, body } = await ask(route, undefined, { key: API_KEY });
      expect([route, status]).toEqual([route, 403]);
      expect(body.error).toMatchObject({ type: 'permission_error', code: 'permission_denied' });
    }
  });

  it('makes an account, with nothing more and nothing less than was asked for', async () => {
    const { status, body } = await ask('POST /v3/admin/accounts', {
      name: 'Research',
      credits: 12.000000000001,
      region: 'EU',
      models: ['sandbox/*'],
      rate_limit: '50/s',
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^acc_[\da-f]{24}$/),
      name: 'Research',
      credits: { balance: 12.000000000001, held: 0, spent: 0 },
      region: 'eu',
      models: ['sandbox/*'],
      rate_limit: '50/s',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      disabled: false,
    });
    expect((await ask(`GET /v3/admin/accounts/${body.id}`)).body).toEqual(body);
    expect(await newAccount()).toMatchObject({ credits: null, region: null, models: null });
    expect(await newAccount({ credits: 0 })).toMatchObject({ credits: { balance: 0 } });
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'x', scopes: ['admin'] }, 'scopes'],
    [{ name: 'x', id: 'acc_mine' }, 'id'],
    [{ name: 'x', credits: '5' }, 'credits'],
    [{ name: 'x', credits: -1 }, 'credits'],
    [{ name: 'x', credits: 1e-13 }, 'credits'],
    [{ name: 'x', credits: 1_000_001 }, 'credits'],
    [{ name: 'x', region: 'e u' }, 'region'],
    [{ name: 'x', models: [] }, 'models'],
    [{ name: 'x', models: [1] }, 'models[0]'],
    [{ name: 'x', rate_limit: '5/day' }, 'rate_limit'],
    [{ name: 'x', max_concurrent: 0 }, 'max_concurrent'],
  ])('refuses the account %j', async (account, param) => {
    const { status, body } = await ask('POST /v3/admin/accounts', account);
    expect([status, body.error.type, body.error.param]).toEqual([
      400,
      'invalid_request_error',
      param,
    ]);
  });

  it('changes what a PATCH names, and takes away what it says is null', async () => {
    const { id } = await newAccount({ region: 'eu', rate_limit: '5/s', credits: 3 });
    const path = `PATCH /v3/admin/accounts/${id}`;
    expect((await ask(path, { name: 'Renamed', max_concurrent: 4 })).body).toMatchObject({
      ...{ name: 'Renamed', region: 'eu', rate_limit: '5/s', max_concurrent: 4 },
    });
    expect((await ask(path, { region: null, models: ['sandbox/*'] })).body).toMatchObject({
      ...{ region: null, models: ['sandbox/*'], rate_limit: '5/s', credits: { balance: 3 } },
    });
    expect((await ask(path, { credits: 7.5 })).body.credits.balance).toBe(7.5);
    expect((await ask(path, { credits: null })).body.credits).toBeNull();
    expect((await ask(path, { balance: 5 })).body.error.param).toBe('balance');
    expect((await ask(path, {})).status).toBe(200);
  });

  it('looks the same for whatever does not exist', async () => {
    for (const route of [
      'GET /v3/admin/accounts/acc_nope',
      'GET /v3/admin/accounts/acc_default%00',
      'GET /v3/admin/accounts/acc_nope/keys',
      'GET /v3/admin/accounts/acc_nope/ledger',
      'DELETE /v3/admin/keys/key_nope',
      'POST /v3/admin/keys/key_nope/rotate',
      'GET /v3/admin/requests/req_nope',
      'GET /v3/admin/providers/nope/credentials',
    ]) {
      const { status, body } = await ask(route);
      expect([route, status, body.error.code]).toEqual([route, 404, 'not_found']);
    }
    const { status } = await ask('POST /v3/admin/accounts/acc_nope/credits', { amount: 1 });
    expect(status).toBe(404);
  });

  it('gives pages that neither repeat nor leave out', async () => {
    for (let made = 0; made < 5; made++) await newAccount();
    const all = (await ask('GET /v3/admin/accounts?limit=1000')).body;
    expect(all.next_cursor).toBeNull();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await ask(`GET /v3/admin/accounts?limit=2&cursor=${cursor}`);
      seen.push(...body.data.map(({ id }: any) => id));
      cursor = body.next_cursor ?? '';
      await newAccount();
    } while (cursor !== '');
    expect(seen).toEqual(all.data.map(({ id }: any) => id));
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=x',
      'cursor=%21',
      'page=2',
      'limit=1&limit=2',
    ]) {
      const { status } = await ask(`GET /v3/admin/accounts?${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });

  describe('keys', () => {
    it('shows a key’s text once, and nowhere what is kept of it', async () => {
      const { id: account } = await newAccount({ models: ['sandbox/*', 'openai/gpt-*'] });
      const expires_at = new Date(Date.now() + 60_000).toISOString();
      const spend_limit = { amount: 0.1, per: 'month' };
      const made = await newKey(account, {
        ...{
          models: ['openai/gpt-4*'],
          rate_limit: '5/s',
          tokens_per_minute: 9,
          max_concurrent: 2,
        },
        ...{ expires_at, spend_limit },
      });
      const { key, ...shown } = made;
      expect(key).toMatch(/^cw_live_[\w-]{43}$/);
      expect(shown).toEqual({
        id: expect.stringMatching(/^key_/),
        prefix: key.slice(0, 12),
        name: 'k',
        type: 'live',
        scopes: ['inference'],
        models: ['openai/gpt-4*'],
        rate_limit: '5/s',
        tokens_per_minute: 9,
        max_concurrent: 2,
        spend_limit,
        expires_at,
        created_at: expect.any(String),
        disabled: false,
      });
      const { body } = await ask(`GET /v3/admin/accounts/${account}/keys`);
      expect(body).toEqual({ data: [shown], next_cursor: null });
    });

    it.each([
      [{ name: 'k', models: ['openai/*'] }, 'models'],
      [{ name: 'k', models: ['*'] }, 'models'],
      [{ name: 'k', rate_limit: '601/m' }, 'rate_limit'],
      [{ name: 'k', rate_limit: 'fast' }, 'rate_limit'],
      [{ name: 'k', max_concurrent: 4 }, 'max_concurrent'],
      [{ name: 'k', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
      [{ name: 'k', expires_at: 'tomorrow' }, 'expires_at'],
      [{ name: 'k', scopes: [] }, 'scopes'],
      [{ name: 'k', scopes: ['root'] }, 'scopes[0]'],
      [{ name: 'k', scopes: ['inference', 'admin'] }, 'scopes'],
      [{ name: 'k', type: 'test' }, 'type'],
      [{ name: 'k', key: 'cw_live_of-my-own' }, 'key'],
      [{ name: 'k', account_id: 'acc_default' }, 'account_id'],
      [{ name: 'k', spend_limit: { amount: 1e-13, per: 'day' } }, 'spend_limit.amount'],
      [{ name: 'k', spend_limit: { amount: 1, per: 'year' } }, 'spend_limit.per'],
      [{ name: 'k', spend_limit: { amount: 1, per: 'day', left: 5 } }, 'spend_limit.left'],
    ])('refuses the key %j', async (key, param) => {
      const account = await newAccount({
        ...{ models: ['sandbox/*'], rate_limit: '10/s', max_concurrent: 3 },
      });
      const { status, body } = await ask(`POST /v3/admin/accounts/${account.id}/keys`, key);
      expect([status, body.error.param]).toEqual([400, param]);
    });

    it('takes no wider settings later either', async () => {
      const { id: account } = await newAccount({ models: ['sandbox/*'] });
      const { id } = await newKey(account);
      const { status } = await ask(`PATCH /v3/admin/keys/${id}`, { models: ['openai/*'] });
      expect(status).toBe(400);
      expect((await ask(`PATCH /v3/admin/keys/${id}`, { scopes: ['admin'] })).status).toBe(400);
    });

    it('refuses a key from the moment on that it is disabled or revoked', async () => {
      const { id: account } = await newAccount();
      const { id, key } = await newKey(account);
      expect((await callEcho(gateway, key)).status).toBe(200);
      await ask(`PATCH /v3/admin/keys/${id}`, { disabled: true });
      const disabled = await callEcho(gateway, key);
      expect(disabled.status).toBe(401);
      await ask(`PATCH /v3/admin/keys/${id}`, { disabled: false });
      expect((await callEcho(gateway, key)).status).toBe(200);

      expect((await ask(`DELETE /v3/admin/keys/${id}`)).body).toMatchObject({ id, disabled: true });
      const revoked = await callEcho(gateway, key);
      expect(revoked).toMatchObject({ status: 401, body: disabled.body });
      expect((await ask(`DELETE /v3/admin/keys/${id}`)).status).toBe(404);
      expect((await ask(`PATCH /v3/admin/keys/${id}`, { disabled: false })).status).toBe(404);
      expect((await ask(`GET /v3/admin/accounts/${account}/keys`)).body.data).toEqual([]);
    });

    it('refuses the keys of a disabled account', async () => {
      const { id: account } = await newAccount();
      const { key } = await newKey(account);
      expect((await callEcho(gateway, key)).status).toBe(200);
      await ask(`PATCH /v3/admin/accounts/${account}`, { disabled: true });
      expect((await callEcho(gateway, key)).status).toBe(401);
    });

    it('gives a new key for an old one, which is good for the overlap', async () => {
      const { id: account } = await newAccount();
      const old = await newKey(account, { models: ['sandbox/*'], tokens_per_minute: 1_000 });
      const rotated = await ask(`POST /v3/admin/keys/${old.id}/rotate`, { overlap_seconds: 1 });
      expect(rotated.body).toMatchObject({
        ...{ name: 'k', models: ['sandbox/*'], tokens_per_minute: 1_000, expires_at: null },
      });
      expect(rotated.body.id).not.toBe(old.id);
      expect((await callEcho(gateway, old.key)).status).toBe(200);
      expect((await callEcho(gateway, rotated.body.key)).status).toBe(200);
      await delay(1_050);
      expect((await callEcho(gateway, old.key)).status).toBe(401);
      expect((await callEcho(gateway, rotated.body.key)).status).toBe(200);
      expect((await ask(`POST /v3/admin/keys/${old.id}/rotate`)).status).toBe(400);

      const hour = await ask(`POST /v3/admin/keys/${rotated.body.id}/rotate`);
      expect(hour.status).toBe(200);
      const { data } = (await ask(`GET /v3/admin/accounts/${account}/keys`)).body;
      const until = Date.parse(data.find(({ id }: any) => id === rotated.body.id).expires_at);
      expect(until - Date.now()).toBeGreaterThan(3_590_000);
      expect(until - Date.now()).toBeLessThanOrEqual(3_600_000);
    });

    it('makes administrators', async () => {
      const { key } = await newKey('acc_default', { scopes: ['admin'] });
      expect(key).toMatch(/^cw_admin_/);
      expect((await ask('GET /v3/admin/accounts', undefined, { key })).status).toBe(200);
      expect((await callEcho(gateway, key)).status).toBe(403);
    });
  });

  describe('credits', () => {
    it('grants and takes back, and books both', async () => {
      const { id } = await newAccount({ credits: 1 });
      const path = `/v3/admin/accounts/${id}`;
      const grant = await ask(`POST ${path}/credits`, { amount: 0.2, note: 'More' });
      expect(grant.status).toBe(200);
      expect(grant.body).toEqual({
        ...{ id: expect.any(String), type: 'grant', amount: 0.2, request_id: null, note: 'More' },
        created_at: expect.stringMatching(/Z$/),
      });
      await ask(`POST ${path}/credits`, { amount: -0.9 });
      expect((await ask(`GET ${path}`)).body.credits.balance).toBe(0.3);
      const first = (await ask(`GET ${path}/ledger?limit=2`)).body;
      expect(first.data.map(({ amount }: any) => amount)).toEqual([-0.9, 0.2]);
      const rest = (await ask(`GET ${path}/ledger?cursor=${first.next_cursor}`)).body;
      expect(rest).toMatchObject({ data: [{ amount: 1 }], next_cursor: null });
    });

    it.each([
      [{ amount: 0 }],
      [{ amount: 1e-13 }],
      [{ amount: 1_000_000.01 }],
      [{ amount: -2 }],
      [{ amount: '1' }],
      [{ note: 'x' }],
      [{ amount: 1, type: 'refund' }],
    ])('refuses the grant %j', async (grant) => {
      const { id } = await newAccount({ credits: 1 });
      expect((await ask(`POST /v3/admin/accounts/${id}/credits`, grant)).status).toBe(400);
      expect((await ask(`GET /v3/admin/accounts/${id}`)).body.credits.balance).toBe(1);
    });

    it('holds an account to its credit from its first grant on', async () => {
      const { id } = await newAccount();
      const { key } = await newKey(id);
      expect((await callEcho(gateway, key)).status).toBe(200);
      await ask(`POST /v3/admin/accounts/${id}/credits`, { amount: 0.000000000001 });
      expect((await callEcho(gateway, key)).status).toBe(402);
      await ask(`PATCH /v3/admin/accounts/${id}`, { credits: null });
      expect((await callEcho(gateway, key)).status).toBe(200);
    });

    it('grants once, however often and however parallel the same key is sent', async () => {
      const { id } = await newAccount({ credits: 0 });
      const path = `POST /v3/admin/accounts/${id}/credits`;
      const headers = { 'idempotency-key': 'budget of november' };
      const refused = await ask(path, { amount: 1e-13 }, { headers });
      expect(refused.status).toBe(400);
      // As a caller would, ask again after a 503; the one before may have been done all the same.
      const grant = async () => {
        for (;;) {
          const answer = await ask(path, { amount: 5 }, { headers });
          if (answer.status !== 503) return answer;
        }
      };
      const answers = await Promise.all(Array.from({ length: 100 }, grant));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
      expect((await ask(path, { amount: 6 }, { headers })).status).toBe(409);
      const { body } = await ask(`GET /v3/admin/accounts/${id}`);
      expect(body.credits.balance).toBe(5);
      const other = await newAccount({ credits: 0 });
      const elsewhere = `POST /v3/admin/accounts/${other.id}/credits`;
      expect((await ask(elsewhere, { amount: 6 }, { headers })).status).toBe(200);
      const long = { 'idempotency-key': 'x'.repeat(256) };
      expect((await ask(path, { amount: 1 }, { headers: long })).status).toBe(400);
    });
  });
});
