import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { type GatewayProcess } from './support/gateway-process.js';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { until } from './support/until.js';
import {
  type Answer,
  ask,
  runs,
  startWorkers,
  times,
  WORKERS,
  workersOf,
  workersWithout,
} from './support/workers.js';

/** Each starts several processes. */
jest.setTimeout(60_000);
const PATIENT = { seconds: 20, everyMs: 100 };
const CHAT = '/v3/chat/completions';
const MESSAGES = '/v3/v1/messages';
const messages = [{ role: 'user', content: 'Hello' }];
const echo = { model: 'sandbox/echo', messages };
const stream = { model: 'openai/gpt-4o', messages, stream: true };

describe(`WORKERS=${WORKERS}`, () => {
  const upstream = new FakeUpstream();
  const modelsFile = join(temporaryDirectory(), 'models.yaml');
  let gateway: GatewayProcess;
  beforeAll(async () => {
    await upstream.listen();
    writeFileSync(modelsFile, 'models: {}');
    gateway = await startWorkers({
      CAUSEWAY_API_KEY: API_KEY,
      CAUSEWAY_ADMIN_KEY: ADMIN_KEY,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
      MODELS_FILE: modelsFile,
      DRAIN_DELAY_MS: '60000',
    });
  });
  afterAll(() => upstream.close());

  const newKey = async (limits: object): Promise<string> => {
    const path = '/v3/admin/accounts/acc_default/keys';
    const { status, body } = await ask(gateway, path, { name: 'k', ...limits }, ADMIN_KEY);
    expect(status).toBe(200);
    return (await body).key;
  };
  /** Streams that stay open at the provider until `release`. */
  const holding = () => {
    const { promise, resolve: release } = Promise.withResolvers<undefined>();
    upstream.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n');
      await promise;
      response.end('data: [DONE]\n\n');
    });
    return () => {
      release(undefined);
    };
  };
  const requestsCounted = async () => {
    const metrics: string = await (await ask(gateway, '/metrics')).body;
    const series = /^causeway_calls_total\{.*model="sandbox\/echo".*\} (\d+)$/m;
    return Number(series.exec(metrics)?.[1] ?? 0);
  };

  it('serves with all of them, and says so once', async () => {
    expect(await workersOf(gateway)).not.toContain(gateway.pid);
    expect(gateway.output.match(/is listening on/g)).toHaveLength(1);
  });

  it('lets through exactly what a key may, over all of them', async () => {
    const key = await newKey({ rate_limit: '20/h' });
    const answers = await times(60, () => ask(gateway, MESSAGES, echo, key));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(40);
    expect(new Set(answers.map(({ worker }) => worker)).size).toBe(WORKERS);
  });

  it('counts unknown keys together', async () => {
    const guesses = await times(101, (index) => ask(gateway, MESSAGES, echo, `guess-${index}`));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(100);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(1);
  });

  it('shows the metrics of all of them, whoever is asked', async () => {
    const before = await requestsCounted();
    await times(20, async () => (await ask(gateway, MESSAGES, echo)).body);
    await until(async () => (await requestsCounted()) === before + 20);
    expect(await times(4, requestsCounted)).toEqual(Array(4).fill(before + 20));
  });

  it('reads a models file that has changed in all of them', async () => {
    writeFileSync(modelsFile, 'models: { sandbox/echo: { enabled: false } }');
    const statuses = async () => {
      const answers = await times(3 * WORKERS, () => ask(gateway, '/v3/models/sandbox/echo'));
      return new Set(answers.map(({ status }) => status));
    };
    await until(async () => !(await statuses()).has(200), PATIENT);
    writeFileSync(modelsFile, 'models: {}');
    await until(async () => !(await statuses()).has(404), PATIENT);
  });

  describe('while the models file is wrong', () => {
    const text = 'models: { openai/mine: { endpoints: [messages], pricing: {} } }';
    const priced = text.replace('{}', '{ input_cost_per_token: 0, output_cost_per_token: 0 }');
    const lists = async () => (await ask(gateway, '/v3/models/openai/mine')).status === 200;
    const listed = async () => new Set(await times(3 * WORKERS, lists));
    let dying = 0;
    beforeAll(async () => {
      writeFileSync(modelsFile, priced);
      await until(async () => !(await listed()).has(false), PATIENT);
    });
    afterAll(async () => {
      writeFileSync(modelsFile, 'models: {}');
      await until(async () => !(await listed()).has(true), PATIENT);
    });

    it('frees the calls that one held which is killed, and forgets none it has counted', async () => {
      writeFileSync(modelsFile, 'models: [broken');
      const release = holding();
      const key = await newKey({ max_concurrent: 4 });
      const before = await requestsCounted();
      const held = await times(4, () => ask(gateway, CHAT, stream, key));
      expect(held.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await ask(gateway, CHAT, stream, key)).status).toBe(429);
      dying = held[0]!.worker;
      const broken = held.filter(({ worker }) => worker === dying);
      expect([1, 2, 3]).toContain(broken.length);

      process.kill(dying, 'SIGKILL');
      await Promise.allSettled(broken.map(({ body }) => body));
      await until(async () => !(await runs(dying)), PATIENT);
      const more: Answer[] = [];
      await until(async () => {
        const one = await ask(gateway, CHAT, stream, key);
        if (one.status === 200) more.push(one);
        return more.length === broken.length;
      }, PATIENT);
      expect((await ask(gateway, CHAT, stream, key)).status).toBe(429);
      release();
      for (const { body, worker } of [...held, ...more]) {
        if (worker !== dying) expect(await body).toContain('[DONE]');
      }
      expect(await requestsCounted()).toBeGreaterThanOrEqual(before);
    });

    it('replaces the one that was killed, by the models of the others', async () => {
      expect(await workersWithout(dying, gateway)).toHaveLength(WORKERS);
      expect(await listed()).toEqual(new Set([true]));
    });

    it('answers those whose connection a worker had been handed that hung, and then died', async () => {
      writeFileSync(modelsFile, '');
      dying = (await workersOf(gateway))[0]!;
      process.kill(dying, 'SIGSTOP');
      // Each on a connection of its own.
      const answers = times(6, () => ask(gateway, MESSAGES, echo));
      await delay(500);
      process.kill(dying, 'SIGKILL');
      for (const { status, worker } of await answers) {
        expect(status).toBe(200);
        expect(worker).not.toBe(dying);
      }
    });

    it('replaces the one that hung where the file is empty, too', async () => {
      expect(await workersWithout(dying, gateway)).toHaveLength(WORKERS);
      expect(await listed()).toEqual(new Set([true]));
    });
  });

  it('stops all as one: unready at once, requests finish, a second signal hurries, the end is 0', async () => {
    const workers = await workersOf(gateway);
    const release = holding();
    const ending = await times(10, () => ask(gateway, CHAT, stream));
    // As a terminal does it: to each of them.
    for (const pid of [gateway.pid, ...workers]) process.kill(pid, 'SIGINT');
    await until(async () => {
      const answers = await times(3 * WORKERS, () => ask(gateway, '/health/ready'));
      return answers.every(({ status }) => status === 503);
    }, PATIENT);
    const served = await times(3 * WORKERS, () => ask(gateway, MESSAGES, echo));
    expect(new Set(served.map(({ worker }) => worker))).toEqual(new Set(workers));
    expect(served.filter(({ status }) => status !== 200)).toEqual([]);
    release();
    for (const { body } of ending) expect(await body).toContain('[DONE]');
    holding();
    const endless = await ask(gateway, CHAT, stream);
    // Sooner it would be taken for the first one.
    await delay(1_000);
    gateway.signal('SIGTERM');
    expect(await endless.body).toContain('"error"');
    expect(await gateway.exited).toBe(0);
    expect(await Promise.all(workers.map(runs))).toEqual(workers.map(() => false));
  });
});

describe('a start of several workers', () => {
  const failed = (settings: Record<string, string>): Promise<string> =>
    startWorkers(settings).then(
      () => 'started',
      (error: Error) => error.message,
    );

  it.each([
    ['its settings', { PORT: 'x' }, 'PORT'],
    ['the models file', {}, 'pricing'],
  ])('says once what is wrong with %s, and ends', async (_what, settings, named) => {
    const models = join(temporaryDirectory(), 'models.yaml');
    writeFileSync(models, 'models: {openai/x: {endpoints: [messages]}}');
    const said = await failed({ MODELS_FILE: models, ...settings });
    expect(said.match(/The gateway cannot start/g)).toHaveLength(1);
    expect(said).toContain(named);
  });
});
