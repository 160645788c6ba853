import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { API_KEY } from './support/gateway.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';
import { temporaryDirectory } from './support/databases.js';
import { until } from './support/until.js';

const PATH = '/v3/v1/messages';
const MODEL = 'anthropic/claude-sonnet-4-5';
const START = `event: message_start\ndata: ${JSON.stringify({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    usage: { input_tokens: 1_000, output_tokens: 1 },
  },
})}\n\n`;

/** A name with two addresses, as `localhost` has where there is IPv6. */
const TWO_ADDRESSES = `
  import dns from 'node:dns';
  import { syncBuiltinESMExports } from 'node:module';
  const { lookup } = dns;
  dns.lookup = (name, options, done) =>
    name === 'localhost' && options.all
      ? done(null, [{ address: '127.0.0.1', family: 4 }, { address: '127.0.0.2', family: 4 }])
      : lookup(name, options, done);
  syncBuiltinESMExports();
`;
/** A port at which nobody listens. */
const NOBODY = 'localhost:1';
const UNREACHABLE = 'openai/gpt-4o';
const REFUSED = expect.stringContaining('connect ECONNREFUSED 127.0.0.1:1') as unknown;

describe('the log', () => {
  const upstream = new FakeUpstream();
  let gateway: GatewayProcess;
  beforeAll(async () => {
    await upstream.listen();
    const settings = {
      DATA_DIR: temporaryDirectory(),
      CAUSEWAY_API_KEY: API_KEY,
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: upstream.url,
      LOG_LEVEL: 'info',
      OPENAI_API_KEY: 'key',
      OPENAI_BASE_URL: `http://${NOBODY}/v1`,
      REDIS_URL: `redis://${NOBODY}`,
    };
    gateway = await startGatewayProcess(settings, { first: TWO_ADDRESSES });
  });
  afterAll(async () => {
    await gateway.kill();
    await upstream.close();
  });

  const send = (id: string, stream: boolean, signal?: AbortSignal, body: object = {}) =>
    fetch(gateway.url + PATH, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'x-request-id': id,
      },
      body: JSON.stringify({
        model: MODEL,
        max_tokens: 5,
        stream,
        messages: [{ role: 'user', content: 'a secret' }],
        ...body,
      }),
      ...(signal && { signal }),
    });
  const linesOf = (id: string) =>
    gateway.output
      .split('\n')
      .filter((line) => line.includes(`"${id}"`))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('has one line of a call, with what it came to', async () => {
    upstream.replies(200, {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', content: [] },
      usage: { input_tokens: 1_000, output_tokens: 10 },
    });
    await (await send('answered', false)).text();
    await until(() => linesOf('answered').length > 0);
    expect(linesOf('answered')).toEqual([
      expect.objectContaining({
        ...{ msg: 'request', path: PATH, status: 200, attempts: 1 },
        ...{ outcome: 'ok', model: MODEL, provider: 'anthropic' },
        ...{ inputTokens: 1_000, outputTokens: 10, cost: '0.00315' },
      }),
    ]);
  });

  it('says which attempts failed before one was answered', async () => {
    upstream.answers((response) => {
      upstream.replies(200, { id: 'msg_1', type: 'message', role: 'assistant', content: [] });
      response.writeHead(503, { 'content-type': 'application/json' }).end('{}');
    });
    await (await send('again', false)).text();
    await until(() => linesOf('again').length > 0);
    const failed = { model: MODEL, provider: 'anthropic', status: 503, ms: expect.any(Number) };
    expect(linesOf('again')).toEqual([
      expect.objectContaining({ outcome: 'ok', attempts: 2, failed: [failed] }),
    ]);
  });

  it('says why a name with several addresses cannot be reached', async () => {
    await (await send('alone', false, undefined, { model: UNREACHABLE })).text();
    await until(() => linesOf('alone').length > 1);
    expect(linesOf('alone')[0]).toMatchObject({ cause: REFUSED });
    expect(gateway.output).toMatch(
      /Redis is away, .*: Error: connect ECONNREFUSED 127\.0\.0\.1:1, /,
    );
  });

  it('says why an attempt got no answer which a fallback made good', async () => {
    upstream.replies(200, { id: 'msg_1', type: 'message', role: 'assistant', content: [] });
    const body = { model: UNREACHABLE, fallbacks: [MODEL] };
    const answer = await send('made-good', false, undefined, body);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.not.stringContaining('ECONNREFUSED'),
    ]);
    await until(() => linesOf('made-good').length > 0);
    const failed = { model: UNREACHABLE, provider: 'openai', status: 0, ms: expect.any(Number) };
    expect(linesOf('made-good')).toEqual([
      expect.objectContaining({ outcome: 'ok', failed: [{ ...failed, cause: REFUSED }] }),
    ]);
  });

  it('says that a key is refused which a fallback made good', async () => {
    upstream.replies(401, { type: 'error', error: { type: 'authentication_error', message: '' } });
    const answer = await send('refused', false, undefined, { fallbacks: ['sandbox/echo'] });
    expect(answer.status).toBe(200);
    await until(() => linesOf('refused').length > 0);
    expect(gateway.output).toContain('"The provider refuses the key of anthropic: status 401"');
  });

  it.each([
    ['whole', false, { outcome: 'client_closed', model: MODEL, provider: 'anthropic' }],
    ['streamed', true, { outcome: 'client_closed', inputTokens: 1_000, cost: '0.003015' }],
  ])(
    'says in a second line what a %s call came to that its caller left',
    async (id, stream, told) => {
      upstream.answers((response) => {
        if (stream) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(START);
      });
      const before = upstream.received.length;
      const left = new AbortController();
      const answer = send(id, stream, left.signal);
      await until(() => upstream.received.length > before);
      if (stream) await answer;
      left.abort();
      await answer.catch(() => undefined);
      await until(() => linesOf(id).length > 1);
      expect(linesOf(id)).toEqual([
        expect.objectContaining({ msg: 'request', path: PATH, aborted: true }),
        expect.objectContaining({ msg: 'settled after the caller left', ...told }),
      ]);
      expect(gateway.output).not.toContain('a secret');
    },
  );
});
