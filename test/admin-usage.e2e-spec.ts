import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../src/database/database.service.js';
import { risingId } from '../src/billing/rising-id.js';
import { UsageRetention } from '../src/billing/usage-retention.service.js';
import { type Asked, callEcho, startAsked } from './support/admin.js';
import { describeEveryEngine } from './support/databases.js';
import { API_KEY } from './support/gateway.js';

const DAY = 86_400_000;

describeEveryEngine('usage and the request log', (engine) => {
  let gateway: Asked;
  const ask: Asked['ask'] = (...question) => gateway.ask(...question);
  let tenant: { account: string; id: string; key: string };
  beforeAll(async () => {
    gateway = await startAsked(engine);
    const { id: account } = (
      await ask('POST /v3/admin/accounts', { name: 'Tenant', credits: 1, region: 'eu' })
    ).body;
    const made = await ask(`POST /v3/admin/accounts/${account}/keys`, { name: 'k' });
    tenant = { account, id: made.body.id, key: made.body.key };
  });
  afterAll(() => gateway.close());

  /** Records of the past, as calls would have left them. */
  const remember = async (rows: readonly Record<string, unknown>[]) => {
    const values = rows.map((row) => ({
      ...{ id: risingId(), request_id: 'req_past', account_id: 'acc_past', key_id: 'key_past' },
      ...{ endpoint: '/embeddings', requested_model: 'a/b', model: 'a/b', provider: 'a' },
      ...{ status: 200, outcome: 'ok', input_tokens: 1, output_tokens: 0, images: 0 },
      ...{ cache_read_tokens: 0, cache_write_tokens: 0, cache_write_1h_tokens: 0 },
      ...{ image_input_tokens: 0, cached_image_input_tokens: 0, image_output_tokens: 0 },
      ...{ cost_units: 1n, estimated: false, attempts: '[]', duration_ms: 1 },
      created_at: Date.now(),
      ...row,
    }));
    await gateway.app
      .get(Database)
      .write((transaction) => transaction.insertInto('requests').values(values).execute());
  };

  it('shows a request as soon as its caller has the answer', async () => {
    const messages = [{ role: 'user', content: 'a secret prompt' }];
    const body = { model: 'sandbox/echo', messages, user: 'ann', metadata: { team: 'blue' } };
    const headers = { 'x-request-id': 'mine-1' };
    const call = await ask('POST /v3/chat/completions', body, { key: tenant.key, headers });
    const { status, body: row } = await ask('GET /v3/admin/requests/mine-1');
    expect(status).toBe(200);
    expect(row).toEqual({
      ...{ request_id: 'mine-1', account_id: tenant.account, key_id: tenant.id },
      ...{ endpoint: '/chat/completions', requested_model: 'sandbox/echo', model: 'sandbox/echo' },
      ...{ provider: 'sandbox', status: 200, outcome: 'ok' },
      input_tokens: call.body.usage.prompt_tokens,
      output_tokens: call.body.usage.completion_tokens,
      ...{ cache_read_tokens: 0, cache_write_tokens: 0, images: 0 },
      ...{ cost: call.body.cost, estimated: false },
      attempts: [{ model: 'sandbox/echo', status: 200, ms: expect.any(Number) }],
      duration_ms: expect.any(Number),
      first_byte_ms: expect.any(Number),
      ...{ user: 'ann', metadata: { team: 'blue' } },
      created_at: expect.stringMatching(/Z$/),
    });
    expect(JSON.stringify(row)).not.toContain('secret');
  });

  it('filters the request log by everything that it may be filtered by', async () => {
    await callEcho(gateway, API_KEY, { 'x-request-id': 'theirs' });
    await callEcho(gateway, tenant.key, { 'x-request-id': 'failed' }, 'sandbox/error-503');
    await callEcho(gateway, tenant.key, { 'x-request-id': 'refused' }, 'sandbox/nope');
    const ids = async (query: string) => {
      const { body } = await ask(`GET /v3/admin/requests?${query}`);
      return body.data.map((row: any) => row.request_id);
    };
    expect(await ids(`account_id=${tenant.account}`)).toEqual(['refused', 'failed', 'mine-1']);
    expect(await ids(`key_id=${tenant.id}&outcome=ok`)).toEqual(['mine-1']);
    expect(await ids('outcome=rejected')).toEqual(['refused']);
    expect(await ids('model=sandbox/error-503&provider=sandbox')).toEqual(['failed']);
    expect(await ids('user=ann')).toEqual(['mine-1']);
    expect(await ids(`to=${new Date(Date.now() - 60_000).toISOString()}`)).toEqual([]);
    expect(await ids(`from=${Math.floor(Date.now() / 1000) - 60}&provider=sandbox`)).toHaveLength(
      3,
    );
    expect(await ids('account_id=%27%20or%201=1')).toEqual([]);
    for (const query of ['outcome=fine', 'from=soon', 'acount_id=x', 'from=2&to=1', 'limit=1001']) {
      expect([query, (await ask(`GET /v3/admin/requests?${query}`)).status]).toEqual([query, 400]);
    }
  });

  it('pages through the request log while more comes in', async () => {
    const all = (await ask('GET /v3/admin/requests')).body.data;
    const first = (await ask('GET /v3/admin/requests?limit=2')).body;
    await callEcho(gateway);
    const { body: rest } = await ask(`GET /v3/admin/requests?limit=2&cursor=${first.next_cursor}`);
    expect([...first.data, ...rest.data]).toEqual(all);
    expect(rest.next_cursor).toBeNull();
  });

  it('gives the last one of several requests with one id', async () => {
    await callEcho(gateway, tenant.key, { 'x-request-id': 'twice' });
    await callEcho(gateway, tenant.key, { 'x-request-id': 'twice' }, 'sandbox/error-500');
    expect((await ask('GET /v3/admin/requests/twice')).body.outcome).toBe('error');
    const { body } = await ask('GET /v3/admin/requests?limit=1000');
    expect(body.data.filter((row: any) => row.request_id === 'twice')).toHaveLength(2);
  });

  it('sums up exactly, also where a sum of its units would not fit in 64 bits', async () => {
    const at = Date.UTC(2026, 0, 10, 23, 30);
    const id = (moment: number) => risingId().replace(/^.{13}/, hex(moment));
    await remember([
      // 9,000,000 USD and a unit, three times.
      ...[1, 2, 3].map((count) => ({
        ...{ id: id(at + count), created_at: at, cost_units: 9_000_000_000_000_000_001n },
        ...{ duration_ms: count * 10, input_tokens: 5, image_input_tokens: 2 },
      })),
      ...[1, 2, 3, 4].map((count) => ({
        ...{ id: id(at + DAY), created_at: at + DAY - count, key_id: 'key_other' },
        ...{ duration_ms: count * 100, outcome: count === 4 ? 'rejected' : 'ok' },
        ...(count === 4 && { model: null, provider: null, cost_units: 0n }),
      })),
    ]);
    const report = async (query: string) =>
      (await ask(`GET /v3/admin/usage?from=2026-01-10&to=2026-01-12T00:00:00Z&${query}`)).body.data;

    expect(await report('')).toEqual([
      {
        ...{ requests: 7, errors: 1, input_tokens: 25, output_tokens: 0 },
        ...{ cost: 27_000_000.000000000006, p50_ms: 100, p95_ms: 400 },
      },
    ]);
    expect(await report('group_by=day')).toMatchObject([
      { day: '2026-01-10', requests: 3, input_tokens: 21, p50_ms: 20, p95_ms: 30 },
      { day: '2026-01-11', requests: 4, cost: 0.000000000003, p50_ms: 200, p95_ms: 400 },
    ]);
    expect(await report('group_by=hour,key')).toMatchObject([
      { hour: '2026-01-10T23:00:00.000Z', key: 'key_past', requests: 3 },
      { hour: '2026-01-11T23:00:00.000Z', key: 'key_other', requests: 4 },
    ]);
    const byModel = await report('group_by=model,provider,endpoint,account&key_id=key_other');
    expect(byModel).toHaveLength(2);
    expect(byModel).toContainEqual(
      expect.objectContaining({
        ...{ model: 'a/b', provider: 'a', endpoint: '/embeddings', account: 'acc_past' },
        ...{ requests: 3, errors: 0 },
      }),
    );
    expect(byModel).toContainEqual(
      expect.objectContaining({ model: null, provider: null, requests: 1, errors: 1 }),
    );
  });

  it('is about the last 30 days unless it is told otherwise', async () => {
    const old = Date.now() - 31 * DAY;
    await remember([
      { id: risingId().replace(/^.{13}/, hex(old)), created_at: old, key_id: 'key_old' },
    ]);
    expect((await ask('GET /v3/admin/usage?key_id=key_old')).body.data).toEqual([]);
    const { body } = await ask(`GET /v3/admin/usage?key_id=key_old&from=${old - 1}`);
    expect(body.data).toMatchObject([{ requests: 1 }]);
    const total = (await ask('GET /v3/admin/usage?group_by=account')).body.data;
    expect(total.map(({ account }: any) => account)).toContain(tenant.account);
    for (const query of ['group_by=user', 'group_by=day,,', 'from=x', 'from=2&to=1', 'foo=1']) {
      expect([query, (await ask(`GET /v3/admin/usage?${query}`)).status]).toEqual([query, 400]);
    }
  });

  describe('for a key’s holder', () => {
    it('is about their own account only', async () => {
      const own = await ask('GET /v3/usage?group_by=key', undefined, { key: tenant.key });
      expect(own.body.data).toMatchObject([{ key: tenant.id, requests: 5, errors: 3 }]);
      const theirs = await ask('GET /v3/usage?key_id=key_past', undefined, { key: tenant.key });
      expect(theirs.body).toEqual({ data: [] });
      for (const query of ['group_by=account', 'account_id=acc_default']) {
        const { status } = await ask(`GET /v3/usage?${query}`, undefined, { key: tenant.key });
        expect([query, status]).toEqual([query, 400]);
      }
      expect((await ask('GET /v3/usage')).status).toBe(403);
    });

    it('tells who they are, and what is left of what', async () => {
      const { body: account } = await ask(`GET /v3/admin/accounts/${tenant.account}`);
      const { status, body } = await ask('GET /v3/me', undefined, { key: tenant.key });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        account: { id: tenant.account, name: 'Tenant', region: 'eu', models: null },
        credits: account.credits,
        key: { id: tenant.id, name: 'k', type: 'live', scopes: ['inference'], expires_at: null },
        limits: [{ of: 'account', counts: 'requests', limit: 100_000, window: 'second' }],
      });
      expect(JSON.stringify(body)).not.toContain(tenant.key);
      expect((await ask('GET /v3/me')).status).toBe(403);
      const { body: free } = await ask('GET /v3/me', undefined, { key: API_KEY });
      expect(free).toMatchObject({ account: { id: 'acc_default' }, credits: null });
    });

    it('tells what is left of every limit', async () => {
      const path = `POST /v3/admin/accounts/${tenant.account}/keys`;
      const limits = { rate_limit: '50/h', tokens_per_minute: 1_000, max_concurrent: 3 };
      const { key } = (await ask(path, { name: 'limited', ...limits })).body;
      const { body: call } = await callEcho(gateway, key);
      const { body } = await ask('GET /v3/me', undefined, { key });
      const of = 'key';
      const remaining = 1_000 - call.usage.total_tokens;
      expect(body.limits).toEqual([
        expect.objectContaining({ of: 'account', counts: 'requests', window: 'second' }),
        { of, counts: 'requests', limit: 50, window: 'hour', remaining: 48 },
        { of, counts: 'calls', limit: 3, window: null, remaining: 3 },
        { of, counts: 'tokens', limit: 1_000, window: 'minute', remaining },
      ]);
    });

    it('tells what is left of a spend limit, and that a key and its successor share it', async () => {
      const path = `/v3/admin/accounts/${tenant.account}/keys`;
      const spend_limit = { amount: 0.5, per: 'month' };
      const { body: made } = await ask(`POST ${path}`, { name: 'spender', spend_limit });
      const { body: call } = await callEcho(gateway, made.key);
      const left = async (key: string) =>
        (await ask('GET /v3/me', undefined, { key })).body.limits.find(
          ({ counts }: any) => counts === 'spend',
        );
      const expected = { of: 'key', counts: 'spend', limit: 0.5, window: 'month' };
      const remaining = Number((0.5 - call.cost).toFixed(12));
      expect(await left(made.key)).toEqual({ ...expected, remaining });
      const { body: rotated } = await ask(`POST /v3/admin/keys/${made.id}/rotate`);
      expect(await left(rotated.key)).toEqual({ ...expected, remaining });
      await callEcho(gateway, rotated.key);
      await callEcho(gateway, made.key);
      const shared = Number((0.5 - 3 * call.cost).toFixed(12));
      for (const key of [made.key, rotated.key]) {
        expect(await left(key)).toEqual({ ...expected, remaining: shared });
      }
      const whole = { amount: 0.5, per: 'total' };
      await ask(`PATCH /v3/admin/keys/${rotated.id}`, { spend_limit: whole });
      expect(await left(rotated.key)).toMatchObject({ window: 'total', remaining: shared });
    });

    it('counts for a spend limit what was spent before it was set', async () => {
      const { body: made } = await ask(`POST /v3/admin/accounts/${tenant.account}/keys`, {
        name: 'free at first',
      });
      const { body: call } = await callEcho(gateway, made.key);
      expect(call.cost).toBeGreaterThan(0);
      for (const per of ['day', 'week', 'month', 'total', 'day']) {
        const spend_limit = { amount: 0.5, per };
        await ask(`PATCH /v3/admin/keys/${made.id}`, { spend_limit });
        const { body } = await ask('GET /v3/me', undefined, { key: made.key });
        const limit = body.limits.find(({ counts }: any) => counts === 'spend');
        expect([per, limit.remaining]).toEqual([per, Number((0.5 - call.cost).toFixed(12))]);
      }
    });
  });

  it('forgets what is older than it is to be kept, and nothing else', async () => {
    const cutoff = Date.UTC(2025, 0, 1);
    const rows = Array.from({ length: 1_100 }, (_, index) => {
      const at = cutoff - DAY + (index % 1_050 === 0 ? 2 * DAY : 0);
      return { id: risingId().replace(/^.{13}/, hex(at)), created_at: at, key_id: 'key_ancient' };
    });
    await remember(rows);
    await gateway.app.get(UsageRetention, { strict: false }).deleteBefore(cutoff);
    const { body } = await ask('GET /v3/admin/usage?key_id=key_ancient&from=2024-01-01');
    expect(body.data).toMatchObject([{ requests: 2 }]);
  });
});

/** The time that begins a UUID of version 7. */
function hex(milliseconds: number): string {
  return milliseconds
    .toString(16)
    .padStart(12, '0')
    .replace(/^.{8}/, (first) => `${first}-`);
}
