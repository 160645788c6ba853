import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiKeys } from '../src/accounts/api-keys.service.js';
import { type NewKey } from '../src/accounts/stored-key.js';
import { Database } from '../src/database/database.service.js';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY, type RunningGateway, startGateway } from './support/gateway.js';
import { metric } from './support/metric.js';
import { describeWithRedis } from './support/redis.js';

const messages = [{ role: 'user', content: 'Hello' }];
const echo = { model: 'sandbox/echo', messages };
const STREAM = { model: 'openai/gpt-4o', messages, stream: true };
/** Its provider works on when a call is cut, so answers are read to their end. */
const READ_ON = { model: 'bedrock/us.amazon.nova-lite-v1:0', max_tokens: 50, messages };
const CONVERSED = JSON.stringify({
  output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
  stopReason: 'end_turn',
  usage: { inputTokens: 5, outputTokens: 1, totalTokens: 6 },
});
const CHAT = '/v3/chat/completions';
const MESSAGES = '/v3/v1/messages';

type Gateways = readonly [RunningGateway, RunningGateway];

/** Two processes with one database. */
function useTwo(env: () => Record<string, string>) {
  const upstream = new FakeUpstream();
  let gateways: Gateways;
  beforeAll(async () => {
    await upstream.listen();
    const settings = {
      DATA_DIR: temporaryDirectory(),
      OPENAI_API_KEY: 'upstream-key',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      AWS_REGION: 'us-east-1',
      BEDROCK_API_KEY: 'upstream-key',
      BEDROCK_BASE_URL: upstream.url,
      ...env(),
    };
    gateways = [await startGateway(settings), await startGateway(settings)];
  });
  afterAll(async () => {
    await Promise.all(gateways.map((gateway) => gateway.close()));
    await upstream.close();
  });
  const at = (index: number) => gateways[index % 2]!;
  return {
    upstream,
    at,
    post: (index: number, path: string, body: object, key = API_KEY, signal?: AbortSignal) =>
      fetch(at(index).url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        ...(signal && { signal }),
      }),
    get: (index: number, path: string, key = API_KEY) =>
      fetch(at(index).url + path, { headers: { authorization: `Bearer ${key}` } }),
    create: (different: Partial<NewKey>) =>
      at(0)
        .app.get(Database)
        .write((transaction) =>
          at(0)
            .app.get(ApiKeys)
            .create(transaction, {
              ...{ accountId: 'acc_default', name: 'k', type: 'live', scopes: ['inference'] },
              ...different,
            }),
        ),
  };
}

type Two = ReturnType<typeof useTwo>;

const shown = ({ headers }: Response) =>
  ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) =>
    headers.get(name),
  );

/** Calls that wait at the provider, by their user; `most` is how many ever ran there at once. */
function holding({ upstream }: Two) {
  const open = new Map<string, ServerResponse>();
  const calls = { open, most: 0 };
  upstream.answers((response, { body }) => {
    open.set(body.user, response);
    calls.most = Math.max(calls.most, open.size);
    response.once('close', () => open.delete(body.user));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n');
  });
  return calls;
}

/** How many calls of the first process have been refused, or left by their callers. */
const callsLeft = ({ at }: Two) =>
  metric(at(0), 'causeway_http_requests_total{method="POST",route="/v3/v1/messages",status="4xx"}');

async function until(condition: () => unknown): Promise<void> {
  const startedAt = performance.now();
  while (!(await condition())) {
    if (performance.now() - startedAt > 6_000) throw new Error('It did not come about');
    await delay(10);
  }
}

async function untilShared({ get }: Two): Promise<void> {
  for (const index of [0, 1]) {
    await until(async () => {
      const ready: any = await (await get(index, '/health/ready')).json();
      return ready.checks.redis === 'ok';
    });
  }
}

function tokenLimits(two: Two): void {
  it('refuses a key that has used up its tokens for the minute, on every process', async () => {
    const key = await two.create({ tokensPerMinute: 10 });
    const first = await two.post(0, MESSAGES, echo, key);
    const { usage } = (await first.json()) as { usage: Record<string, number> };
    const used = usage.input_tokens! + usage.output_tokens!;
    expect(used).toBeLessThan(10);
    for (let sum = used; sum < 10; sum += used) {
      expect((await two.post(1, MESSAGES, echo, key)).status).toBe(200);
    }
    for (const index of [0, 1]) {
      const refused = await two.post(index, CHAT, echo, key);
      expect(refused.status).toBe(429);
      const [limit, remaining, reset, retryAfter] = shown(refused);
      expect([limit, remaining, retryAfter]).toEqual(['10', '0', reset]);
      expect(Number(reset)).toBeGreaterThan(50);
      expect(Number(reset)).toBeLessThanOrEqual(60);
      expect(await refused.json()).toMatchObject({
        error: { type: 'rate_limit_error', code: 'rate_limit_exceeded' },
      });
    }
    expect((await two.get(0, '/v3/models', key)).status).toBe(200);
    expect((await two.post(0, MESSAGES, echo)).status).toBe(200);
  });

  it('counts the tokens of images, which stand in counts of their own', async () => {
    two.upstream.replies(200, {
      created: 1,
      data: [{ b64_json: 'aGVsbG8=' }],
      usage: {
        ...{ input_tokens: 30, output_tokens: 40, total_tokens: 70 },
        input_tokens_details: { text_tokens: 10, image_tokens: 20 },
      },
    });
    const image = { model: 'openai/gpt-image-1', prompt: 'x' };
    const key = await two.create({ tokensPerMinute: 70 });
    const short = await two.create({ tokensPerMinute: 71 });
    for (const each of [key, short]) {
      expect((await two.post(0, '/v3/images/generations', image, each)).status).toBe(200);
    }
    expect((await two.post(1, MESSAGES, echo, key)).status).toBe(429);
    expect((await two.post(1, MESSAGES, echo, short)).status).toBe(200);
  });

  it('holds up nobody who manages accounts', async () => {
    const provider = holding(two);
    const key = await two.create({
      ...{ tokensPerMinute: 1, maxConcurrent: 1, scopes: ['inference', 'admin'] },
    });
    const manage = async (index: number) => {
      const answer = await two.post(index, '/v3/admin/accounts', { name: 'made' }, key);
      return answer.status;
    };
    const hangUp = new AbortController();
    const stream = await two.post(0, CHAT, { ...STREAM, user: 'me' }, key, hangUp.signal);
    expect(stream.status).toBe(200);
    expect((await two.post(1, CHAT, echo, key)).status).toBe(429);
    expect([await manage(0), await manage(1)]).toEqual([200, 200]);
    // Nor does it take a place from the calls.
    provider.open.get('me')!.end('data: [DONE]\n\n');
    expect(await stream.text()).toContain('[DONE]');
    expect((await two.post(1, CHAT, echo, key)).status).toBe(429);
    expect([await manage(0), await manage(1)]).toEqual([200, 200]);
    hangUp.abort();
  });

  it('counts the tokens of a stream, also of one whose caller hung up', async () => {
    holding(two);
    const key = await two.create({ tokensPerMinute: 1 });
    const hangUp = new AbortController();
    const stream = await two.post(0, CHAT, STREAM, key, hangUp.signal);
    expect(stream.status).toBe(200);
    hangUp.abort();
    await until(async () => (await two.post(1, MESSAGES, echo, key)).status === 429);
  });
}

function concurrencyLimits(two: Two): void {
  it.each(['keys', 'accounts'] as const)(
    'holds the calls of %s, streams to their end',
    async (whose) => {
      const provider = holding(two);
      const key = whose === 'keys' ? await two.create({ maxConcurrent: 3 }) : API_KEY;
      const limitAccount = (most: number | null) =>
        two
          .at(0)
          .app.get(Database)
          .write((transaction) =>
            transaction.updateTable('accounts').set({ max_concurrent: most }).execute(),
          );
      if (whose === 'accounts') {
        await limitAccount(3);
        await delay(4_100);
      }
      const hangUps = Array.from({ length: 12 }, () => new AbortController());
      const streams = await Promise.all(
        hangUps.map(({ signal }, index) =>
          two.post(index, CHAT, { ...STREAM, user: `${index}` }, key, signal),
        ),
      );
      const running = streams.flatMap(({ status }, index) => (status === 200 ? [index] : []));
      expect(running).toHaveLength(3);
      const refused = streams.find(({ status }) => status !== 200)!;
      expect([refused.status, ...shown(refused)]).toEqual([429, '3', '0', '1', '1']);
      expect(await refused.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
      expect((await two.get(0, '/v3/models', key)).status).toBe(200);

      // One stream comes to its end, another one's caller leaves: two places are free.
      const [ends, leaves, stays] = running as [number, number, number];
      provider.open.get(`${ends}`)!.end('data: [DONE]\n\n');
      expect(await streams[ends]!.text()).toContain('[DONE]');
      hangUps[leaves]!.abort();
      await until(() => provider.open.size === 1);
      expect(provider.open.has(`${stays}`)).toBe(true);
      for (const index of [0, 1]) {
        expect((await two.post(index, MESSAGES, echo, key)).status).toBe(200);
      }
      expect(provider.most).toBe(3);
      for (const hangUp of hangUps) hangUp.abort();
      await until(() => provider.open.size === 0);
      if (whose === 'accounts') await limitAccount(null);
    },
  );

  it('keeps the place of a call that is read on for a caller who hung up', async () => {
    let answer: ServerResponse | undefined;
    two.upstream.answers((response) => {
      answer = response;
    });
    const key = await two.create({ maxConcurrent: 1 });
    const left = await callsLeft(two);
    const hangUp = new AbortController();
    const leaving = two.post(0, MESSAGES, READ_ON, key, hangUp.signal);
    await until(() => answer);
    hangUp.abort();
    await expect(leaving).rejects.toThrow('aborted');
    await until(async () => (await callsLeft(two)) > left);
    for (const index of [0, 1]) {
      expect((await two.post(index, MESSAGES, echo, key)).status).toBe(429);
    }
    answer!.writeHead(200, { 'content-type': 'application/json' }).end(CONVERSED);
    for (const index of [0, 1]) {
      await until(async () => (await two.post(index, MESSAGES, echo, key)).status === 200);
    }
  });

  it('gives the place back where a call is refused', async () => {
    const key = await two.create({ maxConcurrent: 1 });
    for (let index = 0; index < 6; index += 1) {
      expect((await two.post(index, MESSAGES, {}, key)).status).toBe(422);
      expect((await two.post(index, CHAT, { ...echo, model: 'sandbox/nope' }, key)).status).toBe(
        404,
      );
    }
  });
}

describeWithRedis('limits over two processes', (redis) => {
  const two = useTwo(() => ({ REDIS_URL: redis.url }));
  tokenLimits(two);
  concurrencyLimits(two);

  it.each([1, 2])('is exact for a key and shows what is left, %i', async () => {
    const key = await two.create({ rateLimit: '50/h' });
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        const response = await two.post(index, MESSAGES, echo, key);
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(50);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
    const [limit, remaining, ...waits] = shown(await two.post(0, MESSAGES, echo, key));
    expect([limit, remaining]).toEqual(['50', '0']);
    for (const wait of waits) expect(3600 - Number(wait)).toBeLessThan(60);
  });

  it('does not keep requests waiting for a Redis that stands still, and shares again', async () => {
    const key = await two.create({ rateLimit: '1000/h' });
    const shared = await two.post(0, MESSAGES, echo, key);
    expect(shown(shared)[1]).toBe('999');
    redis.pause();
    const slow: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const times = await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const startedAt = performance.now();
          const response = await two.get(index, '/v3/v1/models', key);
          expect(response.status).toBe(200);
          await response.arrayBuffer();
          return performance.now() - startedAt;
        }),
      );
      if (round > 0) slow.push(...times.filter((ms) => ms > 100));
      expect(Math.max(...times)).toBeLessThan(3_000);
    }
    // After the first round nobody waits; a probe in the background may take the machine's time.
    expect(slow.length).toBeLessThan(30);
    const ready = await two.get(0, '/health/ready');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toMatchObject({
      status: 'ok',
      checks: { redis: expect.stringContaining('alone') },
    });
    expect(await metric(two.at(0), 'causeway_redis_away')).toBe(1);
    redis.resume();
    await untilShared(two);
    expect(await metric(two.at(0), 'causeway_redis_away')).toBe(0);
    const other = await two.create({ rateLimit: '1000/h' });
    for (const [index, left] of ['999', '998', '997', '996'].entries()) {
      expect(shown(await two.get(index, '/v3/models', other))[1]).toBe(left);
    }
  });

  it('holds no place for a caller who leaves while Redis is asked', async () => {
    holding(two);
    const key = await two.create({ maxConcurrent: 1 });
    expect((await two.post(0, MESSAGES, echo, key)).status).toBe(200);
    redis.pause();
    const leaving = two.post(0, CHAT, STREAM, key, AbortSignal.timeout(30));
    await expect(leaving).rejects.toThrow('timeout');
    await delay(200);
    expect((await two.post(0, MESSAGES, echo, key)).status).toBe(200);
    redis.resume();
    await untilShared(two);
  });

  it('limits the requests without a key by their address, over both', async () => {
    const left = async (index: number) =>
      Number((await fetch(`${two.at(index).url}/v3/models`)).headers.get('x-ratelimit-remaining'));
    const first = await left(0);
    expect([await left(1), await left(0)]).toEqual([first - 1, first - 2]);
  });
});

describe('limits of one process', () => {
  const two = useTwo(() => ({}));
  const one: Two = { ...two, at: () => two.at(0), post: (_, ...rest) => two.post(0, ...rest) };
  tokenLimits(one);
  concurrencyLimits(one);

  it('says nothing of Redis', async () => {
    const ready = (await (await two.get(0, '/health/ready')).json()) as object;
    expect(ready).toEqual({ status: 'ok', checks: { database: 'ok', lifecycle: 'ok' } });
  });
});
