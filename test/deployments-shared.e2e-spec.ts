import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { type Asked, providerAt, startAskedOn } from './support/admin.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { COMPLETION } from './support/provider-answers.js';
import { describeWithRedis } from './support/redis.js';
import { until } from './support/until.js';

const MODEL = 'openai/gpt-4o-mini';
const messages = [{ role: 'user', content: 'Hello' }];
const HOUR = 3_600_000;

describeWithRedis('several keys of two gateways', (redis) => {
  const upstream = new FakeUpstream();
  let one: Asked;
  let two: Asked;
  /** What the first key answers with. */
  let refusal: number;
  let retryAfter: string;

  const start = () =>
    startAskedOn({
      OPENAI_API_KEY: 'key-1',
      OPENAI_API_KEY_2: 'key-2',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      REDIS_URL: redis.url,
    });
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    await redis.command('FLUSHALL');
    upstream.answers((response, { headers }) => {
      const status = headers.authorization === 'Bearer key-1' ? refusal : 200;
      const asksForRest = status === 429 || status === 503;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...(asksForRest && { 'retry-after': retryAfter }),
      });
      response.end(JSON.stringify(status === 200 ? COMPLETION : { error: { message: 'no' } }));
    });
    [one, two] = await Promise.all([start(), start()]);
  });
  afterEach(() => Promise.all([one.close(), two.close()]));

  const chat = async (at: Asked): Promise<number> => {
    const asked = at.ask('POST /v3/chat/completions', { model: MODEL, messages }, { key: API_KEY });
    return (await asked).status;
  };
  /** How long each key rests. */
  const rests = async (at: Asked): Promise<number[]> => {
    const { deployments } = await providerAt(at, 'openai');
    return deployments.map(({ rest_ms }: { rest_ms: number }) => rest_ms);
  };
  const firstRests = async (at: Asked) => (await rests(at))[0] ?? 0;
  const callsOfFirst = () =>
    upstream.received.filter(({ headers }) => headers.authorization === 'Bearer key-1').length;
  /** Calls at the first gateway until the first key has refused one. */
  const refused = async (status: number, seconds = '30') => {
    [refusal, retryAfter] = [status, seconds];
    await until(async () => (await chat(one)) === 200 && callsOfFirst() > 0);
    upstream.received.length = 0;
  };
  const hash = 'causeway:rests';

  it.each([429, 503, 401])('are spared by both when one was told %i', async (status) => {
    await refused(status);
    await until(async () => (await firstRests(two)) > 20_000, { seconds: 5 });
    expect((await rests(two))[1]).toBe(0);
    const calls = Array.from({ length: 20 }, () => chat(two));
    expect(new Set(await Promise.all(calls))).toEqual(new Set([200]));
    expect([callsOfFirst(), upstream.received.length]).toEqual([0, 20]);
    const kept = await redis.command(`HGETALL ${hash}`);
    expect(kept).toMatch(/\d{13}/);
    expect(kept).not.toMatch(/key|127\.0/);
  });

  it('are spared by one that starts meanwhile, from its first call on', async () => {
    await refused(401);
    await until(async () => (await firstRests(two)) > 0);
    await two.close();
    two = await start();
    expect((await rests(two)).map((ms) => ms > 0)).toEqual([true, false]);
  });

  it('rest for as long as one was told while Redis stands still, and no longer', async () => {
    await refused(429, '5');
    const restsUntil = performance.now() + (await firstRests(one));
    await until(async () => (await firstRests(two)) > 0, { seconds: 3 });
    redis.pause();
    try {
      await delay(1_500);
      expect(await firstRests(two)).toBeGreaterThan(0);
      expect([await chat(two), callsOfFirst()]).toEqual([200, 0]);
      await until(async () => (await firstRests(two)) === 0);
      // Told in one process after the other, at most so much later.
      expect(Math.abs(performance.now() - restsUntil)).toBeLessThan(2_000);
      await refused(429, '5');
      await delay(1_500);
      expect(await firstRests(two)).toBe(0);
    } finally {
      redis.resume();
    }
  });

  it('are told of, once Redis is there, where it was away when one refused', async () => {
    await redis.stop();
    try {
      await refused(429);
    } finally {
      await redis.start();
    }
    await until(async () => (await firstRests(two)) > 0);
    expect([await chat(two), callsOfFirst()]).toEqual([200, 0]);
  });

  it('rest for a minute at most, whatever Redis says, and no longer than it says so', async () => {
    await refused(429);
    await until(async () => (await firstRests(two)) > 0);
    const [, , name = ''] = (await redis.command(`HKEYS ${hash}`)).split('\r\n');
    await redis.command(`HSET ${hash} ${name} ${Date.now() + HOUR} nobodys ${Date.now() + HOUR}`);
    await redis.command(`HSET ${hash} broken words`);
    await until(async () => (await firstRests(two)) > 50_000);
    expect(await firstRests(two)).toBeLessThanOrEqual(60_000);
    const noted = await redis.command(`HGET ${hash} ${name}`);
    expect(Number(noted.split('\r\n')[1])).toBeLessThanOrEqual(Date.now() + 60_000);
    await redis.command(`DEL ${hash}`);
    await until(async () => (await firstRests(two)) === 0, { seconds: 3 });
  });
});
