import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/support/until.js';
import { beforeExpress } from './before-express.js';
import { inTurn } from './in-turn.js';

let server: Server;
/** The requests that were begun, and how many were at once at most. */
let begun: string[];
let running: ServerResponse[];
let most: number;

beforeEach(async () => {
  [begun, running, most] = [[], [], 0];
  server = createServer((request, response) => {
    begun.push(request.url ?? '');
    most = Math.max(most, running.push(response));
    response.once('close', () => running.splice(running.indexOf(response), 1));
  });
  beforeExpress(server, inTurn());
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends so many requests in one piece. */
function sending(count: number): Socket {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  const requests = Array.from(
    { length: count },
    (_, at) => `GET /${at} HTTP/1.1\r\nhost: a\r\n\r\n`,
  );
  socket.write(requests.join(''));
  return socket;
}

it('works on ten requests of a connection at once, and on all of them in their order', async () => {
  const socket = sending(50);
  let answered = '';
  socket.on('data', (bytes: Buffer) => (answered += bytes.toString()));
  await until(() => begun.length === 10);
  await delay(50);
  expect(begun).toHaveLength(10);
  while (begun.length < 50 || running.length > 0) {
    running[0]?.end(`answer ${begun.length}`);
    await delay(1);
  }
  expect(begun).toEqual(Array.from({ length: 50 }, (_, at) => `/${at}`));
  expect(most).toBe(10);
  await until(() => answered.split('HTTP/1.1 200').length === 51);
});

it('begins nothing more for a caller who has gone', async () => {
  const socket = sending(50);
  await until(() => begun.length === 10);
  socket.destroy();
  await until(() => running.length === 0);
  await delay(50);
  expect(begun).toHaveLength(10);
});

it('breaks off a connection that brings far too many', async () => {
  const socket = sending(200);
  await once(socket, 'close');
  expect(begun.length).toBeLessThanOrEqual(10);
});
