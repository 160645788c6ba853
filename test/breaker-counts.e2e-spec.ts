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
/** Longer than it takes until each process knows what the others counted. */
const LOOKED_MS = 2_500;

describeWithRedis('the calls of three gateways', (redis) => {
  const upstream = new FakeUpstream();
  let gateways: Asked[];
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    await redis.command('FLUSHALL');
    upstream.received.length = 0;
    const env = {
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      BREAKER: 'on',
      REDIS_URL: redis.url,
    };
    gateways = await Promise.all([1, 2, 3].map(() => startAskedOn(env)));
  });
  afterEach(() => Promise.all(gateways.map((gateway) => gateway.close())));

  const call = async (at: number, answer: 200 | 500): Promise<number> => {
    upstream.replies(answer, answer === 200 ? COMPLETION : {});
    const asked = gateways[at % 3]?.ask(
      'POST /v3/chat/completions',
      { model: MODEL, messages },
      { key: API_KEY },
    );
    return (await asked)?.status ?? 0;
  };
  /** Side by side: what a busy machine takes for them one after another, the window of ten seconds has not. */
  const calls = async (at: number, count: number, answer: 200 | 500): Promise<void> => {
    await Promise.all(Array.from({ length: count }, () => call(at, answer)));
  };
  const circuits = async (): Promise<string[]> => {
    const seen = await Promise.all(gateways.map((at) => providerAt(at, 'openai')));
    return seen.map(({ circuit }) => circuit);
  };
  /** One after the other at each gateway, of which every second one fails. */
  const spread = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index++) await call(index, index % 2 === 0 ? 200 : 500);
  };

  it('open the circuit of all of them together, and no later than those of one would', async () => {
    await spread(20);
    await until(async () => (await circuits()).join() === 'open,open,open');
    expect(await Promise.all([0, 1, 2].map((at) => call(at, 200)))).toEqual([503, 503, 503]);
    expect(upstream.received.length).toBe(20);
  });

  it('count where they work, too', async () => {
    // First: to a slow gateway that has heard of the failures, its first eight calls would be half of too few.
    await calls(1, 30, 200);
    await calls(0, 12, 500);
    await delay(LOOKED_MS);
    await calls(2, 10, 500);
    await delay(LOOKED_MS);
    expect(await circuits()).toEqual(['closed', 'closed', 'closed']);
    expect(await call(0, 200)).toBe(200);
  });

  it('are told to nobody while all of them work', async () => {
    await calls(0, 5, 200);
    await calls(1, 5, 200);
    await delay(LOOKED_MS);
    expect(await redis.command('HLEN causeway:calls')).toBe(':0');
  });

  it('are counted by each alone while Redis does not answer', async () => {
    redis.pause();
    try {
      await spread(24);
      expect(upstream.received.length).toBe(24);
      expect(await circuits()).toEqual(['closed', 'closed', 'closed']);
      await calls(0, 12, 500);
      expect(await circuits()).toEqual(['open', 'closed', 'closed']);
    } finally {
      redis.resume();
    }
  });
});
