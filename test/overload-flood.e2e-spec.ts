import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { fundedAccount } from './support/credit.js';
import { good } from './support/fault-answers.js';
import { API_KEY } from './support/gateway.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const MODEL = 'anthropic/claude-haiku-4-5';
const CONNECTIONS = 120;
/** More than half of the lowest limit. */
const LONG_CALLS = 25;

describe('OV-4 one account that calls without a pause, and one that calls now and then', () => {
  const gateway = useGateway({ RATE_LIMIT: '1000000/s' });

  const call = async (key: string, content = 'x') => {
    const response = await fetch(`${gateway.url}/v3/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 9,
        messages: [{ role: 'user', content }],
      }),
    });
    await response.text();
    return response.status;
  };

  it('limits the one, whose calls wait or are refused, and serves the other', async () => {
    const other = await fundedAccount({ app: gateway.app }, 1_000_000_000_000n);
    const released = Promise.withResolvers<undefined>();
    gateway.upstream.answers(async (response, request) => {
      if (request.text.includes('takes long')) await released.promise;
      good(response, request);
    });
    const long = Array.from({ length: LONG_CALLS }, () => call(other.key, 'takes long'));
    const seen = { limit: 0, waiting: 0 };
    const statuses = new Set<number>();
    const steady: number[] = [];
    let isOver = false;
    const flood = Array.from({ length: CONNECTIONS }, async () => {
      while (!isOver) statuses.add(await call(API_KEY));
    });
    const quiet = (async () => {
      for (; !isOver; await delay(50)) steady.push(await call(other.key));
    })();
    const watch = async () => {
      seen.limit = Math.max(seen.limit, await metric(gateway, 'causeway_load_limit_calls'));
      seen.waiting = Math.max(seen.waiting, await metric(gateway, 'causeway_waiting_calls'));
      return seen.limit > 0 && seen.waiting > 0 && steady.length > 20;
    };
    await until(watch, { seconds: 120 }).finally(() => (isOver = true));
    released.resolve(undefined);
    await Promise.all([...flood, quiet]);
    expect(new Set(await Promise.all(long))).toEqual(new Set([200]));
    expect(new Set(steady)).toEqual(new Set([200]));
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(statuses.has(200)).toBe(true);
  }, 150_000);
});
