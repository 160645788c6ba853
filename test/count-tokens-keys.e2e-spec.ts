import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OPEN_MS } from '../src/upstream/breaker.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { moveClock } from './support/clock.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { MESSAGE } from './support/provider-answers.js';

const KEYS = ['one', 'two'];

describe('POST /v3/v1/messages/count_tokens with several keys', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  /** What a key is refused with, by the key. */
  let refusals: Record<string, number>;
  let retryAfter: { 'retry-after'?: string };
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    upstream.received.length = 0;
    retryAfter = {};
    upstream.answers((response, { headers }) => {
      const status = refusals[String(headers['x-api-key'])] ?? 200;
      response.writeHead(status, { 'content-type': 'application/json', ...retryAfter });
      response.end(JSON.stringify(status === 200 ? { input_tokens: 14 } : { error: {} }));
    });
    gateway = await startAskedOn({
      ANTHROPIC_API_KEY: 'one',
      ANTHROPIC_API_KEY_2: 'two',
      ANTHROPIC_BASE_URL: upstream.url,
      BREAKER: 'on',
    });
  });
  afterEach(() => gateway.close());

  const messages = [{ role: 'user', content: 'Hello' }];
  const write = () => {
    const body = { model: 'anthropic/claude-haiku-4-5', messages, max_tokens: 5 };
    return gateway.ask('POST /v3/v1/messages', body, { key: API_KEY });
  };
  const count = () => {
    const body = { model: 'anthropic/claude-haiku-4-5', messages };
    return gateway.ask('POST /v3/v1/messages/count_tokens', body, { key: API_KEY });
  };
  const asked = () => upstream.received.map(({ headers }) => String(headers['x-api-key']));

  it.each([401, 403, 429])(
    'asks another one after %i, and spares the refused one',
    async (status) => {
      // Which key comes first is chance: the one that came first the first time is refused from then on.
      refusals = {};
      await count();
      const [first = ''] = asked();
      refusals = { [first]: status };
      for (let index = 0; index < 10; index++) {
        expect(await count()).toMatchObject({ status: 200, body: { input_tokens: 14 } });
      }
      expect(asked().filter((key) => key === first).length).toBeLessThanOrEqual(2);
    },
  );

  it('lets a key that has reached the limit of counts write messages', async () => {
    upstream.answers((response, { path, headers }) => {
      const isLimited = path.endsWith('count_tokens') && headers['x-api-key'] === 'one';
      const head = { 'content-type': 'application/json', 'retry-after': '30' };
      response.writeHead(isLimited ? 429 : 200, head);
      response.end(JSON.stringify({ ...MESSAGE, input_tokens: 14 }));
    });
    while (!asked().includes('one')) expect((await count()).status).toBe(200);
    upstream.received.length = 0;
    for (let index = 0; index < 8; index++) await count();
    expect(new Set(asked())).toEqual(new Set(['two']));
    upstream.received.length = 0;
    for (let index = 0; index < 8; index++) expect((await write()).status).toBe(200);
    expect(new Set(asked())).toEqual(new Set(KEYS));
  });

  it('passes a limit on when every key has reached it', async () => {
    refusals = Object.fromEntries(KEYS.map((key) => [key, 429]));
    retryAfter = { 'retry-after': '8' };
    const { status, headers } = await count();
    expect([status, headers.get('retry-after')]).toEqual([429, '8']);
    expect(asked().sort()).toEqual(KEYS);
  });

  it('makes no second call where the provider is down, but an estimate', async () => {
    refusals = Object.fromEntries(KEYS.map((key) => [key, 503]));
    const { headers } = await count();
    expect([headers.get('x-causeway-estimated'), asked().length]).toEqual(['true', 1]);
  });

  it('waits five seconds for a provider that does not answer, and gives it up then', async () => {
    const closed = new Promise((resolve) => {
      upstream.answers((response) => void response.once('close', resolve));
    });
    const { status, headers } = await count();
    expect([status, headers.get('x-causeway-estimated')]).toEqual([200, 'true']);
    await closed;
  });

  it('asks nobody while the circuit of the model is open', async () => {
    refusals = { one: 500, two: 500 };
    // Some of the twenty that it takes say nothing of the model, where chance gives the first to one key.
    for (let call = 0; call < 40; call++) {
      await write();
    }
    upstream.received.length = 0;
    const { status, headers } = await count();
    expect([status, headers.get('x-causeway-estimated')]).toEqual([200, 'true']);
    expect(upstream.received).toEqual([]);
    // Half open: a count shows nothing of the model, and there may be many.
    moveClock(OPEN_MS);
    await Promise.all(Array.from({ length: 5 }, () => count()));
    expect(upstream.received).toEqual([]);
    upstream.replies(200, { ...MESSAGE, input_tokens: 14 });
    expect((await write()).status).toBe(200);
    expect((await count()).headers.get('x-causeway-estimated')).toBeNull();
  });
});
