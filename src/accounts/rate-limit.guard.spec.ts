import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/databases.js';
import { CAUSEWAY_API_KEY, guardedApp, type GuardedApp } from '../../test/support/guarded-app.js';
import { until } from '../../test/support/until.js';
import { Database } from '../database/database.service.js';

const key = CAUSEWAY_API_KEY;

describe('RateLimitGuard', () => {
  let app: GuardedApp['app'];
  let call: GuardedApp['call'];
  let create: GuardedApp['create'];

  beforeEach(async () => {
    ({ app, call, create } = await guardedApp({
      DATA_DIR: temporaryDirectory(),
      RATE_LIMIT: '3/m',
    }));
  });
  afterEach(() => app.close());

  /** The reset is shown as the minute or hour that it is part of, for a test may take seconds. */
  const shown = ({ headers }: { headers: Headers }) => {
    const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      headers.get(`x-ratelimit-${name}`),
    );
    return [limit, remaining, reset ? String(Math.ceil(Number(reset) / 60) * 60) : null];
  };

  it('shows what is left, over all routes and keys of an account', async () => {
    const other = await create();
    expect(shown(await call('POST /v3/embeddings', { key }))).toEqual(['3', '2', '60']);
    expect(shown(await call('POST /v3/v1/messages', { key }))).toEqual(['3', '1', '60']);
    expect(shown(await call('GET /v3/models', { key: other }))).toEqual(['3', '0', '60']);
    const limited = await call('POST /v3/embeddings', { key });
    expect(limited.status).toBe(429);
    expect(shown(limited)).toEqual(['3', '0', '60']);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(limited.body).toMatchObject({
      error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
    });
  });

  it('counts callers without a key by their address', async () => {
    for (const remaining of ['2', '1', '0']) {
      expect(shown(await call('GET /v3/models'))).toEqual(['3', remaining, '60']);
    }
    expect((await call('GET /v3/models')).status).toBe(429);
    expect((await call('GET /v3/models', { key })).status).toBe(200);
  });

  it('starts anew in the next window', async () => {
    const quick = await create({ rateLimit: '1/s' });
    const ask = async () => (await call('POST /v3/v1/messages', { key: quick })).status;
    // On a busy machine a second may begin between them.
    await until(async () => {
      const statuses = await Promise.all(Array.from({ length: 3 }, ask));
      return statuses.sort().join() === '200,429,429';
    });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(await ask()).toBe(200);
  });

  it('holds a key to its own limit too, without taking from its account', async () => {
    const narrow = await create({ rateLimit: '2/h' });
    expect(shown(await call('POST /v3/embeddings', { key: narrow }))).toEqual(['2', '1', '3600']);
    expect(shown(await call('POST /v3/embeddings', { key: narrow }))).toEqual(['2', '0', '3600']);
    for (let count = 0; count < 5; count += 1) {
      const limited = await call('POST /v3/embeddings', { key: narrow });
      expect([limited.status, ...shown(limited)]).toEqual([429, '2', '0', '3600']);
      expect(limited.headers.get('retry-after')).toBe('3600');
    }
    expect((await call('POST /v3/embeddings', { key })).status).toBe(200);
  });

  it('shows the tighter one of a wide key and its account', async () => {
    const wide = await create({ rateLimit: '1000/h' });
    expect(shown(await call('POST /v3/embeddings', { key: wide }))).toEqual(['3', '2', '60']);
  });

  it('takes the limit of the account where it has one', async () => {
    await app
      .get(Database)
      .write((transaction) =>
        transaction.updateTable('accounts').set({ rate_limit: '50/m' }).execute(),
      );
    expect(shown(await call('POST /v3/embeddings', { key }))).toEqual(['50', '49', '60']);
  });

  it('speaks the headers that each kind of client knows', async () => {
    const openai = await call('POST /v3/embeddings', { key });
    expect(openai.headers.get('x-ratelimit-remaining-requests')).toBe('2');
    expect(openai.headers.get('x-ratelimit-reset-requests')).toBe('60s');
    const anthropic = await call('POST /v3/v1/messages', { key });
    expect(anthropic.headers.get('anthropic-ratelimit-requests-remaining')).toBe('1');
    const reset = Date.parse(anthropic.headers.get('anthropic-ratelimit-requests-reset')!);
    expect(Math.abs(reset - Date.now() - 60_000)).toBeLessThan(10_000);
  });

  it('is shown on refusals as well, and counts requests that lack the scope', async () => {
    expect(shown(await call('POST /v3/embeddings'))).toEqual(['100', '100', '60']);
    expect(shown(await call('POST /v3/embeddings', { key: 'wrong' }))).toEqual(['100', '99', '60']);
    const forbidden = await call('GET /v3/admin/accounts', { key });
    expect([forbidden.status, ...shown(forbidden)]).toEqual([403, '3', '2', '60']);
  });

  it('leaves health alone', async () => {
    for (let count = 0; count < 10; count += 1) {
      const health = await call('GET /health/live');
      expect([health.status, ...shown(health)]).toEqual([200, null, null, null]);
    }
  });
});
