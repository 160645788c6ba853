import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unitsOfUsd } from '../src/contract/money.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { fundedAccount } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { SURFACES } from './support/surfaces.js';
import { useGateway, usualProviders } from './support/use-gateway.js';

const CLAUDE = 'anthropic/claude-sonnet-4-5';
const GPT = 'openai/gpt-4o';
const messages = [{ role: 'user', content: 'Hello' }];

describe('a call whose models have all failed', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let account: string;
  let key: string;

  beforeAll(async () => {
    await upstream.listen();
    upstream.replies(500, { error: { message: 'Down' } });
    gateway = await startAskedOn(usualProviders(upstream.url));
    ({ id: account, key } = await fundedAccount(gateway, unitsOfUsd(1)));
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), upstream.close()]);
  });

  const tries = [CLAUDE, GPT, CLAUDE];
  it.each(
    SURFACES.flatMap((surface) => [false, true].map((stream) => [...surface, stream] as const)),
  )(
    'says which they were, in its record too (%s, %j, stream: %s)',
    async (path, conversation, stream) => {
      const body = { model: CLAUDE, fallbacks: tries.slice(1), stream, ...conversation };
      const asking = { key, headers: { 'x-causeway-metadata': 'enabled' } };
      const { status, headers, body: told } = await gateway.ask(`POST ${path}`, body, asking);
      expect(status).toBe(502);
      const names = tries.map((model) => `${model}:500`).join(', ');
      expect(headers.get('x-causeway-attempts')).toBe(names);
      const tried = tries.map((model) => ({ model, status: 500, ms: expect.any(Number) }));
      expect(told).toMatchObject({
        error: { message: 'The provider anthropic failed with status 500.' },
        causeway_metadata: { requested: CLAUDE, strategy: 'fallback', attempts: tried },
      });
      const id = headers.get('x-request-id');
      const { body: row } = await gateway.ask(`GET /v3/admin/requests/${id}`);
      expect(row).toMatchObject({ status: 502, outcome: 'error', cost: 0, attempts: tried });
    },
  );

  it('asks for the whole conversation where a thread alone keeps the fallback from it', async () => {
    const body = { model: CLAUDE, fallbacks: [GPT], max_tokens: 9, messages, thread: {} };
    const { status, body: told } = await gateway.ask('POST /v3/v1/messages', body, { key });
    expect(status).toBe(400);
    expect(told.error.details).toMatchObject({ error_code: 'thread_unsupported_request' });
  });

  it('asks nobody in place of the model that was named, for a thread alone', async () => {
    const before = upstream.received.length;
    const body = { model: GPT, fallbacks: [CLAUDE], max_tokens: 9, messages, thread: {} };
    const { status, body: told } = await gateway.ask('POST /v3/v1/messages', body, { key });
    expect([status, upstream.received.length]).toEqual([400, before]);
    expect(told.error.details).toMatchObject({ error_code: 'thread_unsupported_request' });
  });

  it('tells nothing more to a caller who did not ask', async () => {
    const body = { model: CLAUDE, max_tokens: 9, messages };
    const { body: told } = await gateway.ask('POST /v3/v1/messages', body, { key });
    expect(Object.keys(told)).toEqual(['type', 'error', 'request_id']);
  });

  it('costs nothing', async () => {
    const { body } = await gateway.ask(`GET /v3/admin/accounts/${account}`);
    expect(body.credits).toEqual({ balance: 1, held: 0, spent: 0 });
    const ledger = await gateway.ask(`GET /v3/admin/accounts/${account}/ledger`);
    expect(ledger.body.data).toMatchObject([{ type: 'grant' }]);
  });
});

describe('a call whose last model could not be heard', () => {
  const gateway = useGateway({ BREAKER: 'off' });

  it.each(
    SURFACES.flatMap((surface) => [false, true].map((stream) => [...surface, stream] as const)),
  )('says whose connection failed (%s, %j, stream: %s)', async (path, conversation, stream) => {
    gateway.upstream.answers((response) => {
      response.socket?.destroy();
    });
    const body = { model: CLAUDE, fallbacks: [GPT], stream, ...conversation };
    const { body: told } = await gateway.post(path, body).expect(502);
    expect(told.error.message).toBe('The connection to the provider openai failed.');
  });

  it('says it at the end of a stream, too', async () => {
    gateway.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n', () => {
        response.socket?.destroy();
      });
    });
    const { text } = await gateway.post('/v3/chat/completions', {
      model: GPT,
      messages,
      stream: true,
    });
    expect(text).toContain('The connection to the provider openai failed.');
  });
});
