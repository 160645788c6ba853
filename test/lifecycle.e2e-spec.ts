import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import Sqlite from 'better-sqlite3';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithServer, temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { type GatewayProcess, startGatewayProcess } from './support/gateway-process.js';
import { API_KEY } from './support/gateway.js';
import { BEGINNING, END, MESSAGE } from './support/provider-answers.js';
import { until } from './support/until.js';

const model = 'anthropic/claude-haiku-4-5';
const messages = [{ role: 'user', content: 'Hello' }];
const upstream = new FakeUpstream();
const opened: GatewayProcess[] = [];
beforeAll(() => upstream.listen());
afterAll(() => upstream.close());
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.kill()));
});

const start = async (settings: Record<string, string> = {}, options: { first?: string } = {}) => {
  const dataDir = temporaryDirectory();
  const gateway = await startGatewayProcess(
    {
      DATA_DIR: dataDir,
      CAUSEWAY_API_KEY: API_KEY,
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: upstream.url,
      ...settings,
    },
    options,
  );
  opened.push(gateway);
  return { gateway, dataDir };
};
const ask = (gateway: GatewayProcess, fields: object = {}, signal?: AbortSignal) =>
  fetch(`${gateway.url}/v3/v1/messages`, {
    method: 'POST',
    ...(signal && { signal }),
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages,
      ...fields,
    }),
  });
/** Whether it takes in no connection any more. */
const hasClosed = ({ url }: GatewayProcess): Promise<boolean> =>
  fetch(`${url}/health/live`).then(
    () => false,
    () => true,
  );
const rows = (dataDir: string) => {
  const database = new Sqlite(join(dataDir, 'causeway.db'), { readonly: true });
  const found = database.prepare('select * from requests').all() as Record<string, unknown>[];
  database.close();
  return found.map(({ attempts, ...row }): Record<string, unknown> => ({
    ...row,
    attempts: JSON.parse(String(attempts)),
  }));
};
/** What a stop cut was not left by its caller, and is nothing that its provider did wrong. */
const STOPPED = { outcome: 'error', estimated: 1, attempts: [{ cancelled: true }] };
const streamFor = (ms: number) => {
  upstream.answers(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(BEGINNING);
    await delay(ms, undefined, { ref: false });
    response.end(END);
  });
};

/** Asks over a connection that is kept, a conversation where there are fields; resolves when all has come. */
const over = (agent: Agent, url: string, fields?: object) =>
  new Promise<{ status: number; connection: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
    httpRequest(url, { agent, method: fields ? 'POST' : 'GET', headers }, (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      response.resume().once('end', () => {
        resolve({ status, connection: String(answered.connection) });
      });
    })
      .on('error', reject)
      .end(fields && JSON.stringify({ model, messages, ...fields }));
  });

describe('a stop', () => {
  it('lets fifty streams end, and pays for all of them, also where npm hands the signal on', async () => {
    streamFor(1_500);
    const { gateway, dataDir } = await start();
    const streams = Array.from({ length: 50 }, () => ask(gateway, { stream: true }));
    const answers = await Promise.all(streams);
    gateway.signal('SIGTERM');
    await delay(100);
    gateway.signal('SIGTERM');
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    expect(texts.filter((text) => text.includes('event: message_stop'))).toHaveLength(50);
    expect(await gateway.exited).toBe(0);
    expect(rows(dataDir).filter(({ output_tokens }) => output_tokens === 50)).toHaveLength(50);
  });

  it('is told by readiness at once, while requests are still served, on closing connections', async () => {
    const { gateway } = await start({ DRAIN_DELAY_MS: '1500' });
    gateway.signal('SIGTERM');
    await delay(100);
    const ready = await fetch(`${gateway.url}/health/ready`);
    expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await ready.json()).toMatchObject({ checks: { lifecycle: 'shutting down' } });
    const served = await ask(gateway, { model: 'sandbox/echo' });
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    const stream = await ask(gateway, { model: 'sandbox/echo', stream: true });
    expect(stream.headers.get('connection')).toBe('close');
    expect(await stream.text()).toContain('message_stop');
    expect(await gateway.exited).toBe(0);
  });

  it('does not wait for connections that are kept alive, and takes in who asks for readiness', async () => {
    const { gateway } = await start();
    const agent = new Agent({ keepAlive: true });
    await over(agent, `${gateway.url}/health/live`);
    streamFor(500);
    const asked = upstream.received.length;
    const ended = over(agent, `${gateway.url}/v3/v1/messages`, { stream: true });
    await until(() => upstream.received.length > asked);
    gateway.signal('SIGTERM');
    // As a load balancer looks; refused, it would not know why.
    const ready = { headers: { connection: 'close' } };
    await until(async () => (await fetch(`${gateway.url}/health/ready`, ready)).status === 503);
    await ended;
    const startedAt = performance.now();
    expect(await gateway.exited).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    agent.destroy();
  });

  it('does not wait for connections that bring no request, or half of a head', async () => {
    const { gateway } = await start();
    const { port } = new URL(gateway.url);
    const [unused, half] = [1, 2].map(() =>
      connect(Number(port), '127.0.0.1').on('error', () => undefined),
    );
    await Promise.all([once(unused!, 'connect'), once(half!, 'connect')]);
    half!.write('POST /v3/v1/messages HTTP/1.1\r\nhost: gateway\r\ncontent-le');
    // Answered behind them: they have been taken in.
    await fetch(`${gateway.url}/health/live`, { headers: { connection: 'close' } });
    const startedAt = performance.now();
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it('answers what comes over connections that were open, and breaks none off while requests come', async () => {
    const { gateway } = await start();
    const { port } = new URL(gateway.url);
    const ask = async (socket: Socket): Promise<string> => {
      socket.write('GET /health/live HTTP/1.1\r\nhost: gateway\r\n\r\n');
      const [answer] = (await once(socket, 'data')) as [Buffer];
      return answer.toString().split('\r\n\r\n')[0]!;
    };
    const sockets = Array.from({ length: 4 }, () => connect(Number(port), '127.0.0.1'));
    for (const answer of await Promise.all(sockets.map(ask))) {
      expect(answer).toMatch(/^HTTP\/1.1 200 [^]*^connection: keep-alive$/im);
    }
    gateway.signal('SIGTERM');
    await until(() =>
      once(connect(Number(port), '127.0.0.1'), 'connect').then(
        () => false,
        () => true,
      ),
    );
    // A proxy may go on with those that it has for longer than it takes to close one in quiet.
    const [unused, ...used] = sockets;
    for (const socket of used) {
      expect(await ask(socket)).toMatch(/^HTTP\/1.1 200 [^]*^connection: close$/im);
      await delay(600);
    }
    expect(unused!.readableEnded).toBe(false);
    await once(unused!.resume(), 'close');
    expect(await gateway.exited).toBe(0);
  });

  it('closes with a whole answer that was under way, and takes one more request after a stream', async () => {
    // Longer than unused connections are left open.
    const takesMs = 1_500;
    const { gateway } = await start();
    const agents = [1, 2].map(() => new Agent({ keepAlive: true }));
    const [ofWhole, ofStream] = agents;
    const asked = upstream.received.length;
    upstream.answers(async (response, { body }) => {
      const isStream = (body as { stream?: boolean }).stream === true;
      const type = isStream ? 'text/event-stream' : 'application/json';
      if (isStream) response.writeHead(200, { 'content-type': type }).write(BEGINNING);
      await delay(takesMs, undefined, { ref: false });
      if (isStream) response.end(END);
      else response.writeHead(200, { 'content-type': type }).end(JSON.stringify(MESSAGE));
    });
    const answers = Promise.all([
      over(ofWhole!, `${gateway.url}/v3/v1/messages`, {}),
      over(ofStream!, `${gateway.url}/v3/v1/messages`, { stream: true }),
    ]);
    await until(() => upstream.received.length === asked + 2);
    gateway.signal('SIGTERM');
    const [whole, stream] = await answers;
    expect([whole.status, whole.connection]).toEqual([200, 'close']);
    expect([stream.status, stream.connection]).toEqual([200, 'keep-alive']);
    await delay(500);
    const next = await over(ofStream!, `${gateway.url}/health/live`);
    expect([next.status, next.connection]).toEqual([200, 'close']);
    expect(await gateway.exited).toBe(0);
    for (const agent of agents) agent.destroy();
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'ends what takes longer than GRACE_MS with an error event and pays for it (%s)',
    async (signal) => {
      streamFor(60_000);
      const { gateway, dataDir } = await start({ GRACE_MS: '300' });
      const answer = await ask(gateway, { stream: true });
      const startedAt = performance.now();
      gateway.signal(signal);
      const text = await answer.text();
      expect(text).toMatch(/event: error\ndata: .*"overloaded_error"/);
      expect(await gateway.exited).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(6_000);
      expect(rows(dataDir)).toMatchObject([{ ...STOPPED, status: 200 }]);
    },
  );

  it('marks both sides of a hedged call that it cuts', async () => {
    upstream.answers(() => delay(60_000, undefined, { ref: false }));
    const { gateway, dataDir } = await start({ GRACE_MS: '300' });
    const asked = upstream.received.length;
    const answer = ask(gateway, { max_tokens: 100, routing: { hedge_after_ms: 50 } });
    await until(() => upstream.received.length === asked + 2);
    gateway.signal('SIGTERM');
    const { status, headers } = await answer;
    const cancelled = `${model}:cancelled`;
    expect([status, headers.get('x-causeway-attempts')]).toEqual([
      503,
      `${cancelled}, ${cancelled}`,
    ]);
    expect(await gateway.exited).toBe(0);
    const cut = { status: 0, cancelled: true };
    expect(rows(dataDir)).toMatchObject([{ outcome: 'error', status: 503, attempts: [cut, cut] }]);
  });

  it('answers 503 to a whole answer that takes longer, and pays for what was begun', async () => {
    upstream.answers(() => delay(60_000, undefined, { ref: false }));
    const { gateway, dataDir } = await start({ GRACE_MS: '300' });
    const asked = upstream.received.length;
    const answer = ask(gateway);
    await until(() => upstream.received.length > asked);
    gateway.signal('SIGTERM');
    const { status, headers } = await answer;
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    expect(headers.get('x-causeway-attempts')).toBe(`${model}:cancelled`);
    expect(await gateway.exited).toBe(0);
    expect(rows(dataDir)).toMatchObject([{ ...STOPPED, status: 503 }]);
  });

  it('books the last call as its caller ended it, who leaves meanwhile', async () => {
    upstream.answers(() => delay(60_000, undefined, { ref: false }));
    const { gateway, dataDir } = await start();
    const asked = upstream.received.length;
    const leaving = new AbortController();
    const answer = ask(gateway, {}, leaving.signal).catch(() => undefined);
    await until(() => upstream.received.length > asked);
    gateway.signal('SIGTERM');
    await until(() => hasClosed(gateway));
    leaving.abort();
    await answer;
    expect(await gateway.exited).toBe(0);
    expect(rows(dataDir)).toMatchObject([{ outcome: 'client_closed' }]);
  });

  it('waits no longer when it is told a second time', async () => {
    streamFor(60_000);
    const { gateway, dataDir } = await start({ GRACE_MS: '60000', DRAIN_DELAY_MS: '60000' });
    const answer = await ask(gateway, { stream: true });
    const startedAt = performance.now();
    gateway.signal('SIGTERM');
    await delay(1_200);
    gateway.signal('SIGINT');
    expect(await answer.text()).toContain('event: error');
    expect(await gateway.exited).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    expect(rows(dataDir)).toHaveLength(1);
  });
});

it('ends with 1 after a rejection that nobody handles, and logs it as one line of JSON', async () => {
  const first = 'process.on("SIGUSR2", () => void Promise.reject(new Error("boom")))';
  const { gateway } = await start({}, { first });
  gateway.signal('SIGUSR2');
  expect(await gateway.exited).toBe(1);
  const line = gateway.output.split('\n').find((text) => text.includes('boom')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ level: 60, msg: 'unexpected error' });
});

it('says that it stops, and that it stops at once', async () => {
  const { gateway } = await start({ LOG_LEVEL: 'info' });
  upstream.answers(() => delay(60_000, undefined, { ref: false }));
  const asked = upstream.received.length;
  const answer = ask(gateway);
  await until(() => upstream.received.length > asked);
  gateway.signal('SIGTERM');
  await until(() => gateway.output.includes('The gateway stops: its requests may end'));
  // Sooner it would be taken for the same signal.
  await delay(1_200);
  gateway.signal('SIGTERM');
  await until(() => gateway.output.includes('The gateway stops at once'));
  await answer;
  expect(await gateway.exited).toBe(0);
});

it('says that its port is in use, and does not share it', async () => {
  const reusePort = process.platform === 'linux';
  const server = createServer().listen({ host: '127.0.0.1', port: 0, reusePort });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = { DATA_DIR: temporaryDirectory(), PORT: String(port), LOG_LEVEL: 'error' };
  await expect(startGatewayProcess(settings)).rejects.toThrow(
    new RegExp(`  - PORT ${port} cannot be listened on: listen EADDRINUSE: .*:${port}\\n$`),
  );
  server.close();
});

describeWithServer('a start without its database', (server) => {
  it('is alive and not ready, and becomes ready when the database comes', async () => {
    const settings = await server.fresh();
    await server.stop();
    const port = String(20_000 + (process.pid % 10_000));
    const url = `http://127.0.0.1:${port}`;
    const status = async (path: string) => (await fetch(`${url}${path}`)).status;
    const starting = start({ ...settings, PORT: port } as Record<string, string>);
    try {
      await until(async () => (await status('/health/live')) === 200);
      expect(await status('/health/ready')).toBe(503);
    } finally {
      await server.start();
    }
    await until(async () => (await status('/health/ready')) === 200);
    await starting;
  });
});
