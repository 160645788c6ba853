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
const JSON_HEAD = { 'content-type': 'application/json' };
const PATIENCE = { seconds: 15 };

describeWithRedis('a circuit of two gateways', (redis) => {
  const upstream = new FakeUpstream();
  let one: Asked;
  let two: Asked;
  const start = () =>
    startAskedOn({
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      BREAKER: 'on',
      REDIS_URL: redis.url,
    });
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    await redis.command('FLUSHALL');
    upstream.received.length = 0;
    [one, two] = await Promise.all([start(), start()]);
    upstream.replies(500, {});
    await Promise.all(Array.from({ length: 20 }, () => chat(one)));
    await until(async () => (await circuit(two)) === 'open');
  });
  afterEach(() => Promise.all([one.close(), two.close()]));

  const chat = async (at: Asked): Promise<number> => {
    const asked = at.ask('POST /v3/chat/completions', { model: MODEL, messages }, { key: API_KEY });
    return (await asked).status;
  };
  const circuit = async (at: Asked): Promise<string> => (await providerAt(at, 'openai')).circuit;
  const halfOpen = () => until(async () => (await circuit(one)) === 'half_open', PATIENCE);
  /** Every call waits for its answer until it is given. */
  const held = () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    upstream.answers(async (response) => {
      const status = await promise;
      response.writeHead(status, JSON_HEAD);
      response.end(JSON.stringify(status === 200 ? COMPLETION : {}));
    });
    return resolve;
  };

  it('is open in one that starts meanwhile, from its first call on', async () => {
    await two.close();
    two = await start();
    expect([await chat(two), upstream.received.length]).toEqual([503, 20]);
  });

  it('is open in both of them, and closes in both when the one probe works', async () => {
    expect([await chat(two), upstream.received.length]).toEqual([503, 20]);
    const answer = held();
    // Both have callers now, so either may be the one that probes.
    const both = async () => [await circuit(one), await circuit(two)].sort();
    await until(async () => (await both()).join() === 'half_open,half_open', PATIENCE);
    const statuses: number[] = [];
    const note = async (at: Asked) => statuses.push(await chat(at));
    const calls = [one, two, one, two, one, two].map(note);
    await until(() => statuses.length === 5);
    // Longer than a lease lasts that nobody renews.
    for (let second = 0; second < 5; second++) {
      await delay(1_000);
      expect(await Promise.all([chat(one), chat(two)])).toEqual([503, 503]);
    }
    expect(upstream.received.length).toBe(21);
    expect(await both()).toEqual(['half_open', 'half_open']);
    answer(200);
    await Promise.all(calls);
    expect(statuses.sort()).toEqual([200, 503, 503, 503, 503, 503]);
    await until(async () => (await both()).join() === 'closed,closed');
    expect(upstream.received.length).toBe(21);
    expect(await Promise.all([chat(one), chat(two)])).toEqual([200, 200]);
  });

  it('stays open in both when the probe fails, and lets one more through later', async () => {
    await halfOpen();
    expect(await Promise.all([chat(one), chat(two)])).toEqual([502, 503]);
    expect(await circuit(one)).toBe('open');
    await until(async () => (await circuit(two)) === 'open');
    const answer = held();
    const statuses: number[] = [];
    let asked = 0;
    const ask = async (at: Asked) => {
      asked += 1;
      statuses.push(await chat(at));
    };
    await until(() => {
      void ask(one);
      void ask(two);
      return upstream.received.length > 21;
    }, PATIENCE);
    await until(() => statuses.length === asked - 1);
    for (let time = 0; time < 10; time++) {
      await delay(200);
      expect(await Promise.all([chat(one), chat(two)])).toEqual([503, 503]);
    }
    expect(upstream.received.length).toBe(22);
    answer(200);
    await until(() => statuses.length === asked);
    expect(statuses.filter((status) => status !== 503)).toEqual([200]);
  });

  it('stays open in both for as long as the provider asks', async () => {
    await halfOpen();
    upstream.replies(503, {}, { 'retry-after': '40' });
    await chat(one);
    const refused = () =>
      two.begin('POST /v3/chat/completions', { model: MODEL, messages }, { key: API_KEY });
    await until(async () => Number((await refused()).headers.get('retry-after')) > 30);
    expect(upstream.received.length).toBe(21);
  });

  it('is probed by the other one when the first is gone', async () => {
    await halfOpen();
    await one.close();
    upstream.replies(200, COMPLETION);
    await until(async () => (await chat(two)) === 200, PATIENCE);
    expect(upstream.received.length).toBe(21);
  });

  it('is probed by the other one when no call comes to the first', async () => {
    await halfOpen();
    upstream.replies(200, COMPLETION);
    await until(async () => (await chat(two)) === 200, { seconds: 25 });
    await until(async () => (await circuit(one)) === 'closed');
    expect(upstream.received.length).toBe(21);
  });

  it('is probed by the other one as well when all who call the first leave', async () => {
    await halfOpen();
    upstream.answers(async (response) => {
      await delay(1_200);
      response.writeHead(200, JSON_HEAD).end(JSON.stringify(COMPLETION));
    });
    let isServed = false;
    const leave = async () => {
      const left = { key: API_KEY, signal: AbortSignal.timeout(400) };
      const begun = one.begin('POST /v3/chat/completions', { model: MODEL, messages }, left);
      await begun.then((answer) => answer.text()).catch(() => undefined);
      if (isServed) return;
      await delay(20);
      await leave();
    };
    const leaving = leave();
    await until(async () => (await chat(two)) === 200, PATIENCE);
    isServed = true;
    await leaving;
  });

  it('that one opens while Redis does not answer is open in both once it does', async () => {
    redis.pause();
    try {
      await halfOpen();
      upstream.replies(503, {}, { 'retry-after': '40' });
      await until(async () => (await chat(one)) === 502);
      await until(async () => (await circuit(two)) === 'half_open', PATIENCE);
    } finally {
      redis.resume();
    }
    await until(async () => (await circuit(two)) === 'open');
    expect(upstream.received.length).toBe(21);
  });

  it('is judged by each alone while Redis does not answer', async () => {
    redis.pause();
    try {
      const both = () => Promise.all([circuit(one), circuit(two)]);
      await until(async () => (await both()).join() === 'half_open,half_open', PATIENCE);
      // Each of them still leaves the probe to the other for two seconds.
      const probed = (at: Asked) => until(async () => (await chat(at)) === 502);
      await Promise.all([probed(one), probed(two)]);
      expect(upstream.received.length).toBe(22);
    } finally {
      redis.resume();
    }
  });
});
