import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FakeUpstream } from './support/fake-upstream.js';
import { type GatewayProcess } from './support/gateway-process.js';
import { COMPLETION } from './support/provider-answers.js';
import { until } from './support/until.js';
import { ask, runs, startWorkers, times, WORKERS, workersOf } from './support/workers.js';

/** Several processes are started. */
jest.setTimeout(60_000);
const PATIENT = { seconds: 15, everyMs: 200 };
const CHAT = '/v3/chat/completions';
const messages = [{ role: 'user', content: 'Hello' }];
const FAILING = 'openai/gpt-4o-mini';
const RESTING = 'openai/gpt-4o';

const upstream = new FakeUpstream();
let gateway: GatewayProcess;
/** The keys that the gateway has made up. */
let key = '';
let adminKey = '';
beforeAll(async () => {
  await upstream.listen();
  gateway = await startWorkers({
    OPENAI_API_KEY: 'key-1',
    OPENAI_API_KEY_2: 'key-2',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
  });
  await workersOf(gateway);
  [, key = ''] = /^API key: +(\S+)$/m.exec(gateway.output) ?? [];
  [, adminKey = ''] = /^Admin key: +(\S+)$/m.exec(gateway.output) ?? [];
});
afterAll(() => upstream.close());

describe('a first start of several workers', () => {
  it('makes up keys once, which all of them take', async () => {
    expect(gateway.output.match(/^Admin key: cw_admin_/gm)).toHaveLength(1);
    expect(gateway.output.match(/^API key: /gm)).toHaveLength(1);
    const asked = { model: 'sandbox/echo', messages };
    const answers = await times(3 * WORKERS, () => ask(gateway, '/v3/v1/messages', asked, key));
    expect(answers.map(({ status }) => status)).toEqual(Array(3 * WORKERS).fill(200));
    expect(new Set(answers.map(({ worker }) => worker)).size).toBe(WORKERS);
  });
});

describe('workers without Redis remember together', () => {
  beforeEach(() => {
    upstream.received.length = 0;
  });

  const chat = (model: string, more: object = {}) =>
    ask(gateway, CHAT, { model, messages, ...more }, key);
  /** What each worker says of the provider. */
  const seen = async <T>(read: (provider: any) => T): Promise<T[]> => {
    const byWorker = new Map<number, T>();
    await until(async () => {
      const { worker, body } = await ask(gateway, '/v3/admin/providers', undefined, adminKey);
      const { data } = await body;
      byWorker.set(worker, read(data.find(({ name }: { name: string }) => name === 'openai')));
      return byWorker.size === WORKERS;
    });
    return [...byWorker.values()];
  };
  const circuits = () =>
    seen(({ models }) => models.find(({ model }: any) => model === FAILING)?.circuit ?? 'closed');
  const areAll = (circuit: string) => async () =>
    (await circuits()).every((found) => found === circuit);

  it('that a key rests', async () => {
    upstream.answers((response, { headers }) => {
      const isRefused = headers.authorization === 'Bearer key-1';
      response.writeHead(isRefused ? 429 : 200, {
        'content-type': 'application/json',
        ...(isRefused && { 'retry-after': '40' }),
      });
      response.end(JSON.stringify(isRefused ? { error: { message: 'no' } } : COMPLETION));
    });
    const refusals = () =>
      upstream.received.filter(({ headers }) => headers.authorization === 'Bearer key-1').length;
    await until(async () => {
      await chat(RESTING);
      return refusals() > 0;
    });
    const rests = () => seen((provider) => provider.deployments[0].rest_ms as number);
    await until(async () => (await rests()).every((found) => found > 0), PATIENT);
    const before = refusals();
    const answers = await times(20, () => chat(RESTING));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(refusals()).toBe(before);
  });

  it('that a circuit is open, and who probes', async () => {
    upstream.replies(500, {});
    await times(30, () => chat(FAILING));
    await until(areAll('open'), PATIENT);
    const before = upstream.received.length;
    const answers = await times(3 * WORKERS, () => chat(FAILING));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(upstream.received).toHaveLength(before);
    upstream.replies(200, COMPLETION);
    await until(async () => (await chat(FAILING)).status === 200, PATIENT);
    await until(areAll('closed'), PATIENT);
  });

  it('which model a conversation is with', async () => {
    upstream.replies(200, COMPLETION);
    const routed = async (quality_cost: number, session_id: string) => {
      const answer = await chat('@router', { routing: { quality_cost }, session_id });
      return (await answer.body).model as string;
    };
    const dearest = await routed(0, 'dear');
    const cheapest = await routed(10, 'cheap');
    expect(dearest).not.toBe(cheapest);
    // Whoever of them is asked next.
    const kept = await times(6, () => routed(10, 'dear'));
    expect(new Set(kept)).toEqual(new Set([dearest]));
  });
});

describe('the first process of several workers', () => {
  it('tells what one of them died of, and leaves none behind where it is killed', async () => {
    const [faulty = 0, other = 0] = await workersOf(gateway);
    process.kill(faulty, 'SIGUSR2');
    await until(async () => !(await runs(faulty)), PATIENT);
    await until(() => /"level":60.*boom[^]*a worker died/.test(gateway.output), PATIENT);
    await gateway.kill();
    await until(async () => !(await runs(other)), PATIENT);
  });
});
