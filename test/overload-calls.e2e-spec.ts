import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fundedAccount } from './support/credit.js';
import { MESSAGE } from './support/fault-answers.js';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

/** More than are served whatever the load. */
const CALLS = 230;
const MODEL = 'anthropic/claude-haiku-4-5';

describe('OV-2, OV-4 more calls than the process can serve', () => {
  const gateway = useGateway();
  const leave = new AbortController();
  let other: { readonly key: string };
  let busy: NodeJS.Timeout;

  const send = (path: string, { key = API_KEY, content = 'x', signal = leave.signal } = {}) =>
    fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: MODEL, max_tokens: 9, messages: [{ role: 'user', content }] }),
      signal,
    });
  const limit = () => metric(gateway, 'causeway_load_limit_calls');

  beforeAll(async () => {
    other = await fundedAccount({ app: gateway.app }, 1_000_000_000_000n);
    gateway.upstream.answers((response, { text }) => {
      if (text.includes('hang')) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(MESSAGE));
    });
    for (let call = 0; call < CALLS; call++) {
      send('/v3/v1/messages', { content: 'hang' }).catch(() => undefined);
    }
    await until(() => gateway.upstream.received.length === CALLS);
    // Makes the event loop late by about 60 ms, again and again.
    busy = setInterval(() => {
      const end = performance.now() + 60;
      while (performance.now() < end);
    }, 1);
    await until(async () => (await limit()) > 0);
  });
  afterAll(() => {
    clearInterval(busy);
    leave.abort();
  });

  it.each([
    ['/v3/v1/messages', { type: 'overloaded_error' }],
    ['/v3/chat/completions', { type: 'server_error', code: 'provider_unavailable' }],
    ['/v3/embeddings', { type: 'server_error', code: 'provider_unavailable' }],
  ])('refuses further calls on %s', async (path, error) => {
    for (let call = 0; call < 2; call++) {
      const refused = await send(path);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
      expect(refused.headers.get('x-request-id')).toMatch(/^req_/);
      expect(await refused.json()).toMatchObject({ error });
    }
    expect(gateway.upstream.received.length).toBe(CALLS);
  });

  it('serves an account that has few', async () => {
    const served = await send('/v3/v1/messages', { key: other.key });
    expect(served.status).toBe(200);
    gateway.upstream.received.length = CALLS;
  });

  it('answers health, metrics, lists and the management', async () => {
    for (const path of ['/health/live', '/health/ready', '/metrics', '/v3/models']) {
      expect((await fetch(gateway.url + path)).status).toBe(200);
    }
    const made = await fetch(`${gateway.url}/v3/admin/accounts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' },
      body: '{"name":"made under load"}',
    });
    expect(made.ok).toBe(true);
  });

  it('serves everybody again when the load is over', async () => {
    clearInterval(busy);
    leave.abort();
    const { signal } = new AbortController();
    await until(async () => (await send('/v3/v1/messages', { signal })).status === 200);
    await until(async () => (await limit()) === 0);
  });
});
