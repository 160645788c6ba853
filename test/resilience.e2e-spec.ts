import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AddressInfo, createServer } from 'node:net';
import { OPEN_MS } from '../src/upstream/breaker.js';
import { type Asked, providerAt, startAskedOn } from './support/admin.js';
import { moveClock } from './support/clock.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { CHUNKS, COMPLETION } from './support/provider-answers.js';

const MODEL = 'openai/gpt-4o-mini';
const OTHER = 'openai/gpt-4o';
const messages = [{ role: 'user', content: 'Hello' }];

describe('a provider in trouble', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  /** What each model answers: statuses in their order, the last one for ever; 200 is an answer. */
  let answers: Record<string, number[]>;

  beforeAll(async () => {
    await upstream.listen();
  });
  afterAll(async () => {
    await upstream.close();
  });
  beforeEach(() => {
    upstream.received.length = 0;
    answers = {};
    upstream.answers((response, { body }) => {
      const left = answers[body.model] ?? [200];
      const status = left.length > 1 ? left.shift()! : left[0]!;
      const isStream = status === 200 && body.stream === true;
      response.writeHead(status, {
        'content-type': isStream ? 'text/event-stream' : 'application/json',
      });
      const error = { error: { message: `no ${status}`, type: 'server_error' } };
      response.end(isStream ? CHUNKS : JSON.stringify(status === 200 ? COMPLETION : error));
    });
  });

  const settings = () => ({
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: `${upstream.url}/v1`,
    BREAKER: 'on',
  });
  const chat = (body: object = {}, at: Asked = gateway) =>
    at.ask('POST /v3/chat/completions', { model: MODEL, messages, ...body }, { key: API_KEY });
  const message = () =>
    gateway.ask(
      'POST /v3/v1/messages',
      { model: MODEL, max_tokens: 9, messages },
      { key: API_KEY },
    );
  const attempts = (headers: Headers) => headers.get('x-causeway-attempts');
  const asked = () => upstream.received.map(({ body }) => body.model as string);

  describe('alone', () => {
    beforeEach(async () => {
      gateway = await startAskedOn(settings());
    });
    afterEach(async () => {
      await gateway.close();
    });

    it.each([[429], [503], [529]])('is asked again after %i', async (status) => {
      answers['gpt-4o-mini'] = [status, 200];
      const { status: got, headers } = await chat();
      expect([got, attempts(headers)]).toEqual([200, `${MODEL}:${status}, ${MODEL}:ok`]);
    });

    it('is asked again before a stream has begun', async () => {
      answers['gpt-4o-mini'] = [503, 200];
      const body = { model: MODEL, messages, stream: true };
      const reply = await gateway.begin('POST /v3/chat/completions', body, { key: API_KEY });
      expect(attempts(reply.headers)).toBe(`${MODEL}:503, ${MODEL}:ok`);
      expect(await reply.text()).toContain('"content":"Hi"');
    });

    it('is asked again where a translated answer with 200 says so inside of its choice', async () => {
      const error = { code: 503, message: 'Busy' };
      const refusal = { choices: [{ index: 0, message: { content: '' }, error }] };
      upstream.refusesOnce(200, {}, COMPLETION, refusal);
      const { status, headers } = await message();
      expect([status, attempts(headers)]).toEqual([200, `${MODEL}:503, ${MODEL}:ok`]);
    });

    it.each([
      [400, 400],
      [404, 404],
      [429, 429],
      [529, 529],
      [401, 502],
      ['no', 502],
    ])('has its error %p inside of a translated answer told as %i', async (code, told) => {
      const error = { code, message: 'Not so' };
      upstream.replies(200, { choices: [{ index: 0, message: null, error }] });
      expect((await message()).status).toBe(told);
    });

    it.each([[500], [502], [504], [400], [401]])(
      'is not asked again after %i, which may have been billed or will not change',
      async (status) => {
        answers['gpt-4o-mini'] = [status, 200];
        expect((await chat()).status).not.toBe(200);
        expect(upstream.received.length).toBe(1);
      },
    );

    it('is asked three times at most, and its last word is the answer', async () => {
      answers['gpt-4o-mini'] = [503];
      const { status, headers } = await chat();
      expect([status, upstream.received.length]).toEqual([502, 3]);
      expect(headers.get('x-causeway-cost')).toBeNull();
      const tries = Array.from({ length: 3 }, () => 'openai/gpt-4o-mini:503');
      expect(headers.get('x-causeway-attempts')).toBe(tries.join(', '));
    });

    it('is left alone at once where another model follows', async () => {
      answers['gpt-4o-mini'] = [503];
      const { status, headers } = await chat({ fallbacks: [OTHER] });
      expect([status, attempts(headers)]).toEqual([200, `${MODEL}:503, ${OTHER}:ok`]);
    });

    it('charges one answer, whatever went before it', async () => {
      answers['gpt-4o-mini'] = [503, 503, 200];
      const { body } = await chat();
      const usage = await gateway.ask('GET /v3/usage', undefined, { key: API_KEY });
      expect(usage.body.data[0]).toMatchObject({ requests: 1, errors: 0, cost: body.cost });
    });

    it('gets no more calls once half of twenty have failed, and another model serves', async () => {
      answers['gpt-4o-mini'] = [500];
      for (let index = 0; index < 20; index++) await chat();
      expect(upstream.received.length).toBe(20);

      const refused = await chat();
      expect([refused.status, upstream.received.length]).toEqual([503, 20]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(refused.body.error.code).toBe('provider_unavailable');

      const { headers } = await chat({ fallbacks: [OTHER] });
      expect(attempts(headers)).toBe(`${MODEL}:circuit_open, ${OTHER}:ok`);
      expect(asked().slice(20)).toEqual(['gpt-4o']);

      expect(await providerAt(gateway, 'openai')).toMatchObject({
        circuit: 'open',
        models: [
          { model: MODEL, circuit: 'open', calls: 20, failures: 20, p50_ms: null },
          { model: OTHER, circuit: 'closed', calls: 1, failures: 0, p50_ms: expect.any(Number) },
        ],
      });
    });

    it('leaves the word to the model that was asked before it, while it gets no calls', async () => {
      answers['gpt-4o-mini'] = [500];
      for (let index = 0; index < 20; index++) await chat();
      for (const [said, told] of [
        [400, 400],
        [500, 502],
      ] as const) {
        answers['gpt-4o'] = [said];
        const { status, headers } = await chat({ model: OTHER, fallbacks: [MODEL] });
        expect([status, attempts(headers)]).toEqual([
          told,
          `${OTHER}:${said}, ${MODEL}:circuit_open`,
        ]);
      }
    });

    it('is told as skipped while it gets no calls, and neither charged nor counted', async () => {
      answers['gpt-4o-mini'] = [500];
      for (let index = 0; index < 20; index++) await chat();
      const tries = async () => {
        const text = await (await fetch(`${gateway.url}/metrics`)).text();
        return text
          .split('\n')
          .filter((line) => line.startsWith('causeway_upstream_attempts_total'));
      };
      const before = await tries();

      const refused = await chat();
      expect(attempts(refused.headers)).toBe(`${MODEL}:circuit_open`);
      const { body: log } = await gateway.ask('GET /v3/admin/requests?limit=1');
      expect(log.data[0]).toMatchObject({
        ...{ outcome: 'rejected', status: 503, provider: null, model: null },
        ...{ attempts: [], cost: 0 },
      });
      expect(await tries()).toEqual(before);

      const told = { model: MODEL, provider: 'openai', status: 503, ms: 0, circuit: 'open' };
      const asking = { model: MODEL, messages, fallbacks: [OTHER] };
      const options = { key: API_KEY, headers: { 'x-causeway-metadata': 'enabled' } };
      const { body } = await gateway.ask('POST /v3/chat/completions', asking, options);
      expect(body.causeway_metadata).toMatchObject({
        strategy: 'fallback',
        attempts: [told, { model: OTHER, provider: 'openai', status: 200 }],
      });
      const streaming = { ...asking, stream: true };
      const reply = await gateway.begin('POST /v3/chat/completions', streaming, options);
      expect(attempts(reply.headers)).toBe(`${MODEL}:circuit_open, ${OTHER}:ok`);
      const [first = ''] = (await reply.text()).split('\n\n');
      expect(JSON.parse(first.slice('data: '.length)).causeway_metadata.attempts).toHaveLength(2);
      const served = await gateway.ask('GET /v3/admin/requests?limit=1');
      expect(served.body.data[0]).toMatchObject({ model: OTHER, attempts: [{ model: OTHER }] });
    });

    it('gets calls again when a probe works', async () => {
      answers['gpt-4o-mini'] = [...Array.from({ length: 20 }, () => 500), 200];
      for (let index = 0; index < 20; index++) await chat();
      moveClock(OPEN_MS);
      const both = await Promise.all([chat(), chat()]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 503]);
      expect((await chat()).status).toBe(200);
    });

    it('is not shut out by refusals and limits', async () => {
      answers['gpt-4o-mini'] = [...Array.from({ length: 30 }, () => 400), 200];
      for (let index = 0; index < 30; index++) await chat();
      expect((await chat()).status).toBe(200);
    });
  });

  it('is asked again when no connection was made, because nothing was sent', async () => {
    const closed = createServer();
    await new Promise<void>((listening) => closed.listen(0, '127.0.0.1', listening));
    const { port } = closed.address() as AddressInfo;
    await new Promise((done) => closed.close(done));
    gateway = await startAskedOn({ ...settings(), OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` });
    const { status } = await chat();
    const { body } = await gateway.ask('GET /v3/admin/requests');
    await gateway.close();
    expect(status).toBe(502);
    expect(body.data[0].attempts).toEqual(
      Array.from({ length: 3 }, () => ({ model: MODEL, status: 0, ms: expect.any(Number) })),
    );
  });
});
