import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type RunningGateway, startGateway } from './support/gateway.js';

const CONNECTIONS = 500;
/** Without the time that is added to what answers say, half of the connections end in each. */
const ROUNDS = 8;
/** In place of 75 s. */
const KEEP_ALIVE_MS = 1_000;

describe('a connection that is kept alive', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    gateway.app.getHttpServer().keepAliveTimeout = KEEP_ALIVE_MS;
  });
  afterAll(() => gateway.close());

  it('takes each request that comes about when it ends by what answers say', async () => {
    const { port } = new URL(gateway.url);
    let answered = 0;
    const client = async (index: number): Promise<void> => {
      const socket = connect(Number(port), '127.0.0.1').resume();
      const closed = once(socket, 'close').then(() => ['closed']);
      try {
        for (let round = 0; round < ROUNDS; round += 1) {
          socket.write(`GET /health/live HTTP/1.1\r\nhost: gateway\r\n\r\n`);
          const [answer] = (await Promise.race([once(socket, 'data'), closed])) as unknown[];
          expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
          expect(String(answer)).toMatch(/^keep-alive: timeout=1\r$/im);
          answered += 1;
          // From 0.8 s to 1.2 s.
          await delay(KEEP_ALIVE_MS * (0.8 + (0.4 * index) / CONNECTIONS));
        }
      } finally {
        socket.destroy();
      }
    };
    const clients = Array.from({ length: CONNECTIONS }, (_, index) => client(index));
    const ended = await Promise.allSettled(clients);
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(answered).toBe(CONNECTIONS * ROUNDS);
  });

  it('is announced for longer than proxies keep theirs', async () => {
    const other = await startGateway();
    const { headers } = await fetch(`${other.url}/health/live`);
    expect(headers.get('keep-alive')).toBe('timeout=75');
    await other.close();
  });
});
