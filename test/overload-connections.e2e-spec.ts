import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { SETTLED_MS } from '../src/http/running-requests.js';
import { fundedAccount } from './support/credit.js';
import { MESSAGE, streamStart } from './support/fault-answers.js';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const MOST = 20;
/** Of one account alone. */
const MOST_OF_ONE = 15;
const PATH = '/v3/v1/messages';
const bodyOf = (content: string) =>
  JSON.stringify({
    model: 'anthropic/claude-haiku-4-5',
    max_tokens: 9,
    stream: content === 'long',
    messages: [{ role: 'user', content }],
  });

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

describe('OV-2 connections', () => {
  const gateway = useGateway({ MAX_CONNECTIONS: String(MOST) });
  const sockets: Socket[] = [];
  const running = () => metric(gateway, 'causeway_http_requests_in_flight');
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    // The one that asks.
    await until(async () => (await running()) === 1);
    gateway.upstream.received.length = 0;
  });

  gateway.upstream.answers((response, { text }) => {
    if (text.includes('long')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(streamStart());
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(MESSAGE));
  });

  /** Asks on a connection of its own; resolves with the head of the answer, which goes on. */
  function ask(path: string, key?: string, body?: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = {
        connection: 'keep-alive',
        'content-type': 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      };
      const request = httpRequest(gateway.url + path, { method, agent: false, headers });
      request.once('socket', (socket) => sockets.push(socket));
      request.once('error', reject);
      request.once('response', (response: IncomingMessage) => {
        response.on('error', () => undefined).resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      request.end(body);
    });
  }
  const call = (key: string, content = 'short') => ask(PATH, key, bodyOf(content));
  /** Begins a stream, which a machine that is slow at the moment may refuse for its load. */
  const stream = (key: string) => until(async () => (await call(key, 'long')).status === 200);
  /** Has one account begin as many streams as it may. */
  const fill = async (): Promise<void> => {
    for (let count = 0; count < MOST_OF_ONE; count++) await stream(API_KEY);
  };
  const account = async () => (await fundedAccount({ app: gateway.app })).key;

  /** Sends bytes, and neither reads nor ends. */
  async function connected(bytes: string): Promise<void> {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    sockets.push(socket.on('error', () => undefined).pause());
    await once(socket, 'connect');
    socket.write(bytes);
  }

  async function expectOthersAnswered(key: string): Promise<void> {
    const answers = await Promise.all([
      call(key),
      ask('/health/live'),
      ask('/health/ready'),
      ask('/metrics'),
      ask('/v3/admin/accounts', ADMIN_KEY),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  }

  it('keeps some from one account, whose further calls are refused', async () => {
    const others = await account();
    await fill();
    for (let count = 0; count < 2 * MOST; count++) {
      expect(await call(API_KEY, 'long')).toMatchObject({
        status: 503,
        headers: { 'retry-after': '1', connection: 'close' },
      });
    }
    expect(gateway.upstream.received).toHaveLength(MOST_OF_ONE);
    for (let round = 0; round < 5; round++) await expectOthersAnswered(others);
    expect(
      await metric(gateway, 'causeway_shed_requests_total{reason="connections"}'),
    ).toBeGreaterThan(0);
  });

  it('answers also when the calls of all accounts are as many as there may be', async () => {
    await fill();
    const keys = [];
    for (let count = 0; count < MOST - MOST_OF_ONE; count++) keys.push(await account());
    for (const key of keys) await stream(key);
    const late = await account();
    for (let round = 0; round < 5; round++) {
      expect(await call(late)).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(await ask('/health/ready')).toMatchObject({ status: 200 });
      expect(await ask('/v3/models', late)).toMatchObject({ status: 200 });
      expect(await ask('/v3/admin/accounts', ADMIN_KEY)).toMatchObject({ status: 200 });
    }
    sockets.shift()?.destroy();
    await until(async () => (await call(late)).status === 200);
  });

  it('gives none for a minute to a caller without a key who reads nothing', async () => {
    const head = `GET /docs/openapi.json HTTP/1.1\r\nhost: a\r\n\r\n`;
    for (let count = 0; count < 4 * MOST; count++) await connected(head.repeat(30));
    // Until then they might be callers whose key is being looked up.
    await delay(SETTLED_MS + 2_000);
    for (let round = 0; round < 5; round++) await expectOthersAnswered(API_KEY);
  });

  it('counts calls whose bodies do not come', async () => {
    const others = await account();
    const head =
      `POST ${PATH} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${API_KEY}\r\n` +
      'content-type: application/json\r\ncontent-length: 10\r\n\r\n{';
    for (let count = 0; count < 4 * MOST; count++) await connected(head);
    for (let round = 0; round < 5; round++) await expectOthersAnswered(others);
  });
});
