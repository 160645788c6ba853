import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';
import { API_KEY } from './support/gateway.js';
import { freePorts, hasNginx, type Nginx, startNginx } from './support/nginx.js';
import { until } from './support/until.js';

const here = hasNginx();
if (!here) console.log('skipped, because there is no nginx here and none can be installed');

const messages = [{ role: 'user', content: 'Hello' }];
const CHAT = '/v3/chat/completions';
const STREAM_MS = 800;
/** Streams that run at once, and callers of whole answers, each of whom makes ten requests a second. */
const STREAMS = 50;
const CALLERS = 20;
/** What is asked at least while one gateway is restarted, however slow a busy machine is at it. */
const REQUESTS_OF_RESTART = 500;
/** `fail_timeout` of deploy/nginx.conf, and a little. */
const TRIED_AGAIN_MS = 1_200;

(here ? describe : describe.skip)('deploy/nginx.conf', () => {
  const upstream = new FakeUpstream();
  const dataDir = temporaryDirectory();
  let gateways: GatewayProcess[];
  let nginx: Nginx;
  const start = (port: number) =>
    startGatewayProcess({
      DATA_DIR: dataDir,
      PORT: `${port}`,
      TRUST_PROXY: '1',
      LOG_LEVEL: 'error',
      CAUSEWAY_API_KEY: API_KEY,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
    });
  let ports: number[];
  beforeAll(async () => {
    await upstream.listen();
    streamsUntil(() => delay(STREAM_MS));
    ports = await freePorts(3);
    gateways = await Promise.all(ports.map(start));
    nginx = await startNginx(ports);
  });
  afterAll(async () => {
    await nginx.stop();
    await Promise.all(gateways.map((gateway) => gateway.kill()));
    await upstream.close();
  });

  const streamsUntil = (ended: () => Promise<unknown>): void => {
    upstream.answers(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"x"}}]}\n\n');
      await ended();
      response.end('data: [DONE]\n\n');
    });
  };
  const post = (path: string, body: object | string, headers: Record<string, string> = {}) =>
    fetch(nginx.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const echo = () => post(CHAT, { model: 'sandbox/echo', messages });
  const stream = () => post(CHAT, { model: 'openai/gpt-4o', messages, stream: true });

  it('passes a stream on as it comes, and names the request as the caller does', async () => {
    const { promise: hasCome, resolve: come } = Promise.withResolvers<undefined>();
    streamsUntil(() => hasCome);
    const answer = await post(
      CHAT,
      { model: 'openai/gpt-4o', messages, stream: true },
      { 'x-request-id': 'mine-17' },
    );
    expect(answer.headers.get('x-request-id')).toBe('mine-17');
    const pieces = answer.body!.values();
    let text = '';
    for await (const piece of pieces) {
      text += Buffer.from(piece).toString();
      if (text.includes('"x"')) come(undefined);
    }
    expect(text).toContain('[DONE]');
    streamsUntil(() => delay(STREAM_MS));
    expect((await echo()).headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('lets the gateway refuse a body that is too long, and refuses longer ones in JSON', async () => {
    const text = (mebibytes: number) => JSON.stringify('x'.repeat(mebibytes * 1024 * 1024));
    for (const [mebibytes, type] of [
      [32, 'invalid_request_error'],
      [34, 'request_too_large'],
    ] as const) {
      const answer = await post(CHAT, text(mebibytes));
      expect(answer.status).toBe(413);
      expect(await answer.json()).toMatchObject({ error: { type } });
    }
  });

  it('loses no request and no stream while three gateways are restarted, one after another', async () => {
    const failed: string[] = [];
    const done = { requests: 0, streams: 0 };
    let isOver = false;
    const over = () => isOver;
    /** Again and again, once in `everyMs`; who had to wait longer makes up for it. */
    const repeat = async (everyMs: number, work: () => Promise<void>) => {
      let dueAt = performance.now() + Math.random() * everyMs;
      while (!over()) {
        await delay(Math.max(0, dueAt - performance.now()));
        dueAt += everyMs;
        await work().catch((error: unknown) => failed.push(String(error)));
      }
    };
    const load = [
      ...Array.from({ length: CALLERS }, () =>
        repeat(100, async () => {
          const answer = await echo();
          const text = await answer.text();
          if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
          done.requests += 1;
        }),
      ),
      ...Array.from({ length: STREAMS }, () =>
        repeat(0, async () => {
          const answer = await stream();
          const text = await answer.text();
          if (!text.includes('[DONE]')) throw new Error(`${answer.status} ${text}`);
          done.streams += 1;
        }),
      ),
    ];
    // Connections between nginx and the gateways are there by then.
    await until(() => done.requests > 200 && done.streams > 100, { seconds: 30 });
    const { requests } = done;
    const startedAt = performance.now();
    for (const [index, port] of ports.entries()) {
      const before = { ...done };
      gateways[index]!.signal('SIGTERM');
      expect(await gateways[index]!.exited).toBe(0);
      gateways[index] = await start(port);
      await until(async () => (await fetch(`${gateways[index]!.url}/health/ready`)).ok, {
        seconds: 30,
      });
      await delay(TRIED_AGAIN_MS);
      await until(
        () =>
          failed.length > 0 ||
          (done.requests - before.requests >= REQUESTS_OF_RESTART &&
            done.streams - before.streams >= STREAMS),
        { seconds: 30 },
      );
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const perSecond = Math.round((done.requests - requests) / seconds);
    console.log(`three restarts at ${perSecond} requests a second and ${STREAMS} streams`);
    isOver = true;
    await Promise.all(load);
    if (failed.length > 0) console.log(nginx.errors);
    expect(failed).toEqual([]);
  }, 120_000);
});
