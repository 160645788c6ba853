import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describeWithServer, temporaryDirectory } from '../../test/support/databases.js';
import {
  CAUSEWAY_ADMIN_KEY,
  CAUSEWAY_API_KEY,
  guardedApp,
  type GuardedApp,
} from '../../test/support/guarded-app.js';
import { Database } from '../database/database.service.js';

const key = CAUSEWAY_API_KEY;

describe('AuthGuard and ScopeGuard', () => {
  let app: GuardedApp['app'];
  let port: number;
  let call: GuardedApp['call'];
  let create: GuardedApp['create'];

  beforeAll(async () => {
    ({ app, port, call, create } = await guardedApp({
      DATA_DIR: temporaryDirectory(),
      RATE_LIMIT: '100000/s',
    }));
  });
  afterAll(() => app.close());

  it('lets a good key pass, whatever the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const answer = await call('POST /v3/embeddings', { authorization: `${scheme} ${key}` });
      expect([answer.status, answer.body]).toEqual([200, { key: expect.stringMatching(/^key_/) }]);
    }
  });

  it('answers 401 in the form of the path when there is no key', async () => {
    const openai = await call('POST /v3/embeddings');
    expect(openai.status).toBe(401);
    expect(openai.headers.get('www-authenticate')).toBe('Bearer');
    expect(openai.body).toMatchObject({
      error: { type: 'authentication_error', code: 'invalid_api_key', param: null },
    });
    const anthropic = await call('POST /v3/v1/messages');
    expect(anthropic.status).toBe(401);
    expect(anthropic.body).toMatchObject({ error: { type: 'authentication_error' } });
  });

  const half = key.slice(0, key.length / 2);
  it.each([
    'Bearer',
    'Bearer ',
    key,
    `Basic ${Buffer.from(`u:${key}`).toString('base64')}`,
    `Token ${key}`,
    `Digest ${key}`,
    `Bearer ${half}`,
    `Bearer ${key.slice(0, -1)}X`,
    `Bearer ${key.slice(0, 20)}${'z'.repeat(key.length - 20)}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key}x`,
    `Bearer ${key.toUpperCase()}`,
    `Bearer wrong ${key}`,
    `Bearer wrong, Bearer ${key}`,
    `Bearer "${key}"`,
    `Bearer ${[...Buffer.from(key)].map((byte) => `%${byte.toString(16)}`).join('')}`,
    "Bearer ' OR '1'='1",
    "Bearer 'OR'1'='1",
    "Bearer x'/**/UNION/**/SELECT/**/NULL--",
    "Bearer x'||pg_sleep(5)||'",
    "Bearer \\'",
    'Bearer %',
    'Bearer *',
    'Bearer null',
    'Bearer undefined',
    'Bearer {"$ne":null}',
    'Bearer __proto__',
    'Bearer constructor',
    'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.',
    'Bearer x\t*1',
  ])('refuses %s', async (authorization) => {
    await call('POST /v3/embeddings', { key });
    const answer = await call('POST /v3/embeddings', { authorization });
    expect(answer.status).toBe(401);
    expect(JSON.stringify([answer.body, [...answer.headers]])).not.toContain(key);
  });

  it.each([
    ['wrong-key-wrong', key],
    [key, 'wrong-key-wrong'],
  ])('refuses two Authorization headers', async (first, second) => {
    const socket = connect(port, '127.0.0.1');
    socket.end(
      `POST /v3/embeddings HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `Authorization: Bearer ${first}\r\nAuthorization: Bearer ${second}\r\n\r\n`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1.1 401 /);
  });

  it('takes no key from a query or a cookie', async () => {
    const query = await call(`POST /v3/embeddings?api_key=${key}&access_token=${key}`);
    const cookie = await call('POST /v3/embeddings', { cookie: `api_key=${key}` });
    expect([query.status, cookie.status]).toEqual([401, 401]);
  });

  it('takes x-api-key on Messages paths only, and prefers the bearer', async () => {
    const withKey = { 'x-api-key': key };
    expect((await call('POST /v3/v1/messages', withKey)).status).toBe(200);
    expect((await call('POST /v3/embeddings', withKey)).status).toBe(401);
    expect((await call('POST /v3/v1/messages', { ...withKey, key: 'wrong' })).status).toBe(401);
    expect((await call('POST /v3/v1/messages', { 'x-api-key': 'wrong', key })).status).toBe(200);
    expect((await call('POST /v3/v1/messages', { 'x-api-key': key, key })).status).toBe(200);
  });

  it('opens public routes to everyone, and says who asks when it knows', async () => {
    expect((await call('GET /v3/models')).body).toEqual({ key: null });
    const wrong = await call('GET /v3/models', { key: 'wrong' });
    expect([wrong.status, wrong.body]).toEqual([200, { key: null }]);
    expect((await call('GET /v3/models', { key })).body).toEqual({
      key: expect.stringMatching(/^key_/),
    });
  });

  it('keeps the scopes apart', async () => {
    const admin = { key: CAUSEWAY_ADMIN_KEY };
    expect((await call('GET /v3/admin/accounts', admin)).status).toBe(200);
    expect((await call('GET /v3/admin/accounts')).status).toBe(401);
    for (const refused of [
      await call('GET /v3/admin/accounts', { key }),
      await call('POST /v3/embeddings', admin),
    ]) {
      expect(refused.status).toBe(403);
      expect(refused.body).toMatchObject({ error: { code: 'permission_denied' } });
    }
    const both = await create({ scopes: ['admin', 'inference'] });
    expect((await call('GET /v3/admin/accounts', { key: both })).status).toBe(200);
    expect((await call('POST /v3/embeddings', { key: both })).status).toBe(200);
  });

  it('answers an expired key, a revoked one and an unknown one alike', async () => {
    const expired = await create({ expiresAt: Date.now() - 1 });
    const revoked = await create({ name: 'revoked' });
    await app
      .get(Database)
      .write((transaction) =>
        transaction
          .updateTable('api_keys')
          .set({ revoked_at: 1 })
          .where('name', '=', 'revoked')
          .execute(),
      );
    const answers = await Promise.all(
      [expired, revoked, 'unknown'].map((one) => call('POST /v3/embeddings', { key: one })),
    );
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    // Who asks with a key that has ended is not served as somebody without one.
    const lists = await Promise.all(
      [expired, revoked, 'unknown'].map((one) => call('GET /v3/models', { key: one })),
    );
    expect(lists.map(({ status }) => status)).toEqual([401, 401, 200]);
    expect(lists[0]!.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('makes who guesses keys wait, but neither a good key nor one wrong key', async () => {
    const wrong = await Promise.all(
      Array.from({ length: 150 }, () => call('POST /v3/embeddings', { key: 'always-the-same' })),
    );
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([401]));
    const guesses = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        call('POST /v3/embeddings', { key: `guess-${index}` }),
      ),
    );
    const statuses = guesses.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(50);
    const limited = guesses.find(({ status }) => status === 429)!;
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(limited.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await call('POST /v3/embeddings', { key })).status).toBe(200);
    expect((await call('POST /v3/embeddings')).status).toBe(401);
  });
});

describeWithServer('The guards without their database', ({ fresh, stop, start }) => {
  it('answer every key with 503 quickly, and let public routes pass', async () => {
    const { app, call } = await guardedApp({ ...(await fresh()) });
    expect((await call('POST /v3/embeddings', { key })).status).toBe(200);
    await stop();
    for (const one of [key, 'unknown', key]) {
      const answer = await call('POST /v3/embeddings', { key: one });
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('1');
      expect(answer.body).toMatchObject({ error: { code: 'provider_unavailable' } });
      expect(answer.ms).toBeLessThan(4_000);
    }
    expect((await call('POST /v3/embeddings')).status).toBe(401);
    expect((await call('GET /v3/models', { key })).body).toEqual({ key: null });
    expect(await app.get(Database).isReady()).toBe(false);
    await start();
    expect(await secondsUntil(() => call('POST /v3/embeddings', { key }))).toBeLessThan(8);
    expect(await app.get(Database).isReady()).toBe(true);
    await app.close();
  });

  it('start without it, and serve when it comes', async () => {
    const settings = await fresh();
    await stop();
    const { app, call } = await guardedApp({ ...settings });
    expect(await app.get(Database).isReady()).toBe(false);
    const refused = await call('POST /v3/embeddings', { key });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await call('GET /v3/models')).status).toBe(200);
    await start();
    expect(await secondsUntil(() => call('POST /v3/embeddings', { key }))).toBeLessThan(8);
    await app.close();
  });
});

async function secondsUntil(call: () => Promise<{ status: number }>): Promise<number> {
  const startedAt = performance.now();
  while ((await call()).status !== 200) {
    if (performance.now() - startedAt > 10_000) return Infinity;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return (performance.now() - startedAt) / 1000;
}
