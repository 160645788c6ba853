import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { MESSAGE } from './support/fault-answers.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';
import { API_KEY } from './support/gateway.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';

/** More than are worked on in five seconds, in which there is a limit, at five rounds a second. */
const CALLS = 300;
/** Has each round of the event loop take a fifth of a second, asleep, from a signal to the next one. */
const SLOW = `
  const nothing = new Int32Array(new SharedArrayBuffer(4));
  let slow;
  process.on('SIGUSR2', () => {
    if (slow) clearInterval(slow);
    else slow = setInterval(() => Atomics.wait(nothing, 0, 0, 200), 1);
  });
`;
/** A conversation of so many turns, which takes the longer to work on. */
const bodyOf = (turns: number) =>
  JSON.stringify({
    ...{ model: 'anthropic/claude-haiku-4-5', max_tokens: 9 },
    messages: Array.from({ length: turns }, () => ({ role: 'user', content: 'x' })),
  });
const [SHORT, LONG] = [bodyOf(1), bodyOf(1_000)];

describe('OV-1 a backlog of calls that came before there was a limit', () => {
  const upstream = new FakeUpstream();
  let gateway: GatewayProcess;
  beforeAll(async () => {
    await upstream.listen();
    upstream.replies(200, MESSAGE);
    gateway = await startGatewayProcess(
      {
        ...{ CAUSEWAY_API_KEY: API_KEY, DATA_DIR: temporaryDirectory() },
        ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: upstream.url },
      },
      { first: SLOW },
    );
  });
  afterAll(async () => {
    await gateway.kill();
    await upstream.close();
  });

  const send = async (body: string) => {
    const response = await fetch(`${gateway.url}/v3/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
      body,
    });
    const { error } = (await response.json()) as { error?: { code: string } };
    return { status: response.status, again: response.headers.get('retry-after'), error };
  };
  const isLive = async () => (await fetch(`${gateway.url}/health/live`)).text();
  const whileSlow = async <T>(work: () => Promise<T>): Promise<T> => {
    gateway.signal('SIGUSR2');
    try {
      await until(async () => {
        const startedAt = performance.now();
        await isLive();
        return performance.now() - startedAt > 150;
      });
      return await work();
    } finally {
      gateway.signal('SIGUSR2');
    }
  };
  const shed = () => metric(gateway, 'causeway_shed_requests_total{reason="load"}');

  it('is refused, and not kept for as long as it would take; no provider is asked for it', async () => {
    // So that all have their connections; of so many calls a machine that is busy would shed some.
    await Promise.all(Array.from({ length: CALLS }, isLive));
    await until(async () => (await send(SHORT)).status === 200);
    const [asked, shedBefore] = [upstream.received.length, await shed()];
    const answers = await whileSlow(() =>
      Promise.all(Array.from({ length: CALLS }, () => send(LONG))),
    );
    const refused = answers.filter(({ status }) => status === 503);
    expect(refused.length).toBeGreaterThan(CALLS / 10);
    for (const { again, error } of refused) {
      expect([again, error?.code]).toEqual(['1', 'provider_unavailable']);
    }
    const served = CALLS - refused.length;
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(served);
    expect(upstream.received).toHaveLength(asked + served);
    expect(await shed()).toBe(shedBefore + refused.length);
    await until(async () => (await send(SHORT)).status === 200);
  });
});
