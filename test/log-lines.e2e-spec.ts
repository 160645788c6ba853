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

describe('the log', () => {
  const upstream = new FakeUpstream();
  let gateway: GatewayProcess;
  beforeAll(async () => {
    await upstream.listen();
    gateway = await startGatewayProcess({
      DATA_DIR: temporaryDirectory(),
      CAUSEWAY_API_KEY: API_KEY,
      ANTHROPIC_API_KEY: 'key',
      ANTHROPIC_BASE_URL: upstream.url,
      LOG_LEVEL: 'info',
    });
  });
  afterAll(async () => {
    await gateway.kill();
    await upstream.close();
  });

  const send = (id: string, stream: boolean, signal?: AbortSignal) =>
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
