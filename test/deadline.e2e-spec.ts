import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Database } from '../src/database/database.service.js';
import { type Answer, type Asked, providerAt, startAskedOn } from './support/admin.js';
import { creditOf, expectBalanced } from './support/books.js';
import { fundedAccount, type FundedAccount } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { until } from './support/until.js';

const TOTAL_MS = 2_000;
const FIRST_BYTE_MS = 800;
const MODELS = ['openai/gpt-4o-mini', 'openai/gpt-4o', 'openai/gpt-4.1', 'openai/gpt-4.1-mini'];
const [model, ...fallbacks] = MODELS;
const messages = [{ role: 'user', content: 'Hello' }];

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;

describe('UPSTREAM_TOTAL_TIMEOUT_MS', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let account: FundedAccount;
  beforeAll(async () => {
    await upstream.listen();
    gateway = await startAskedOn({
      ...{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` },
      ...{ REPLICATE_API_KEY: 'k', REPLICATE_BASE_URL: `${upstream.url}/v1` },
      UPSTREAM_TOTAL_TIMEOUT_MS: String(TOTAL_MS),
      UPSTREAM_FIRST_BYTE_TIMEOUT_MS: String(FIRST_BYTE_MS),
      BREAKER: 'on',
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });
  beforeEach(async () => {
    upstream.received.length = 0;
    upstream.aborted = 0;
    account = await fundedAccount(gateway, 10_000_000_000_000n);
  });

  const ask = async (path: string, body: object): Promise<Answer & { ms: number }> => {
    const startedAt = performance.now();
    const answer = await gateway.ask(`POST /v3${path}`, body, { key: account.key });
    return { ...answer, ms: performance.now() - startedAt };
  };
  /** It took as long as it may, and no longer. */
  const expectTimedOut = async ({ status, body, ms }: Answer & { ms: number }) => {
    expect([status, body.error.code ?? body.error.type]).toEqual([504, 'upstream_timeout']);
    expect(ms).toBeGreaterThan(TOTAL_MS - 50);
    expect(ms).toBeLessThan(TOTAL_MS + 1_500);
    const credit = await creditOf({ database: gateway.app.get(Database) }, account.id);
    expectBalanced(credit);
    expect([credit.held_units, credit.spent_units]).toEqual([0n, 0n]);
  };

  it('is the time of a request with all its fallbacks', async () => {
    upstream.answers(() => undefined);
    await expectTimedOut(await ask('/chat/completions', { model, fallbacks, messages }));
    const tried = upstream.received.length;
    expect(tried).toBeGreaterThan(1);
    expect(tried).toBeLessThan(MODELS.length);
    await until(() => upstream.aborted === tried, { seconds: 1 });
    const { models } = await providerAt(gateway, 'openai');
    const failures = models.map((one: { failures: number }) => one.failures);
    // The last one that was tried had less time than those before it took.
    expect(failures).toEqual(Array.from({ length: tried - 1 }, () => 1));
  });

  it('is the time of an image with all the askings for it', async () => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const urls = { get: `${upstream.url}/v1/get`, cancel: `${upstream.url}/v1/cancel` };
      response.end(JSON.stringify({ id: 'p', status: 'processing', urls }));
    });
    const image = { model: 'replicate/black-forest-labs/flux-schnell', prompt: 'x' };
    await expectTimedOut(await ask('/images/generations', image));
    expect(upstream.received.length).toBeGreaterThan(2);
    await until(() => upstream.last.path === '/v1/cancel');
  });

  it('is the time of images that are fetched for the caller, who gets their addresses then', async () => {
    const data = ['a', 'b'].map((name) => ({ url: `${upstream.url}/${name}.png` }));
    upstream.answers((response, { method }) => {
      // The second one would have had as much time again.
      if (method === 'POST') response.end(JSON.stringify({ created: 1, data }));
    });
    const wish = { model: 'openai/gpt-image-1', prompt: 'x', n: 2, response_format: 'b64_json' };
    const { status, body, ms } = await ask('/images/generations', wish);
    expect([status, body.data]).toEqual([200, data.map((one) => expect.objectContaining(one))]);
    expect(ms).toBeLessThan(TOTAL_MS + 1_500);
    expect(body.cost).toBeGreaterThan(0);
    await until(() => upstream.open === 0);
  });

  it.each([
    ['comments', ': keep-alive\n\n'],
    ['blank lines', '\n\n'],
  ])('is the time to the first event of a stream that sends %s', async (_, nothing) => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(nothing), 50);
      response.on('close', () => {
        clearInterval(timer);
      });
    });
    await expectTimedOut(await ask('/chat/completions', { model, messages, stream: true }));
    await until(() => upstream.aborted === 1);
  });

  it('is no limit for a stream that has begun', async () => {
    upstream.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const content of ['a', 'b', 'c', 'd']) {
        response.write(data({ choices: [{ delta: { content } }] }));
        await delay(TOTAL_MS / 3);
        response.write(data({ choices: [] }));
      }
      response.end('data: [DONE]\n\n');
    });
    const { key } = account;
    const body = { model, messages, stream: true };
    const reply = await gateway.begin('POST /v3/chat/completions', body, { key });
    expect(await reply.text()).toMatch(/"d"[\s\S]*\[DONE\]/);
  });
});
