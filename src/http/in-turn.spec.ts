import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/support/until.js';
import { beforeExpress } from './before-express.js';
import { continueOnRead } from './continue-on-read.js';
import { discardRest } from './discard-rest.js';
import { inTurn } from './in-turn.js';

let server: Server;
/** The requests that were begun, and how many were at once at most. */
let begun: string[];
let running: ServerResponse[];
let most: number;
/** Bytes that the last connection has brought. */
let taken: number;

beforeEach(async () => {
  [begun, running, most, taken] = [[], [], 0, 0];
  server = createServer((request, response) => {
    begun.push(request.url ?? '');
    most = Math.max(most, running.push(response));
    response.once('close', () => running.splice(running.indexOf(response), 1));
  });
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => (taken = socket.bytesRead));
  });
  beforeExpress(server, inTurn());
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Whether it was reset or not. */
const closed = (socket: Socket) => new Promise((resolve) => socket.once('close', resolve));

/** Sends so many requests in one piece. */
function sending(count: number): Socket {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  const requests = Array.from(
    { length: count },
    (_, at) => `POST /${at} HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n`,
  );
  socket.write(requests.join(''));
  return socket;
}

it('works on some requests of a connection at once, and on all of them in their order', async () => {
  const socket = sending(90);
  let answered = '';
  socket.on('data', (bytes: Buffer) => (answered += bytes.toString()));
  await until(() => begun.length === 32);
  await delay(50);
  expect(begun).toHaveLength(32);
  while (begun.length < 90 || running.length > 0) {
    running[0]?.end(`answer ${begun.length}`);
    await delay(1);
  }
  expect(begun).toEqual(Array.from({ length: 90 }, (_, at) => `/${at}`));
  expect(most).toBe(32);
  await until(() => answered.split('HTTP/1.1 200').length === 91);
});

it('works on one that is no call when all before it are answered', async () => {
  const socket = sending(1);
  const page = 'GET /page HTTP/1.1\r\nhost: a\r\n\r\n';
  socket.resume().write(page.repeat(2));
  await until(() => running[0]?.req.socket.bytesRead === socket.bytesWritten);
  expect(begun).toEqual(['/0']);
  for (const count of [2, 3]) {
    running[0]?.end('done');
    await until(() => begun.length === count);
    expect(running).toHaveLength(1);
  }
});

it('begins nothing more for a caller who has gone', async () => {
  const socket = sending(50);
  await until(() => begun.length === 32);
  socket.destroy();
  await until(() => running.length === 0);
  await delay(50);
  expect(begun).toHaveLength(32);
});

it('begins none behind an answer that ends the connection', async () => {
  sending(50);
  await until(() => begun.length === 32);
  running[31]?.setHeader('connection', 'close');
  while (running.length > 0) {
    running[0]?.end('done');
    await delay(1);
  }
  await delay(50);
  expect(begun).toHaveLength(32);
});

it('begins none that comes while such an answer is under way, and lets that be read', async () => {
  const socket = sending(2);
  let answered = '';
  socket.on('data', (bytes: Buffer) => (answered += bytes.toString()));
  await until(() => begun.length === 2);
  running[1]?.setHeader('connection', 'close');
  const body = 'a'.repeat(100_000);
  socket.write(`POST /2 HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  await until(() => running[0]!.req.socket.bytesRead > body.length);
  for (const response of [...running]) response.end('done');
  await closed(socket);
  expect(begun).toEqual(['/0', '/1']);
  expect(answered.split('HTTP/1.1 200')).toHaveLength(3);
});

it('begins none while such a connection is read on', async () => {
  const socket = sending(0);
  socket.write('POST /0 HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
  await until(() => begun.length === 1);
  const response = running[0]!;
  const { socket: other } = response.req;
  discardRest(response.req);
  response.setHeader('connection', 'close').end('too large');
  await once(socket, 'data');
  const sent = other.bytesRead;
  const rest = '0\r\n\r\nGET /1 HTTP/1.1\r\nhost: a\r\n\r\n';
  socket.write(rest);
  await until(() => other.bytesRead === sent + rest.length);
  expect(begun).toEqual(['/0']);
});

it.each([
  ['none behind a body that was not asked for, which ends the connection', false],
  ['what stands behind one that was', true],
])('begins %s', async (_, isRead) => {
  continueOnRead(server);
  const socket = sending(0);
  let answered = '';
  socket.on('data', (bytes: Buffer) => (answered += bytes.toString()));
  socket.write(
    'POST /0 HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 1\r\n\r\na' +
      'GET /1 HTTP/1.1\r\nhost: a\r\n\r\n',
  );
  await until(() => begun.length === 1);
  if (isRead) await once(running[0]!.req.resume(), 'end');
  expect(begun).toEqual(['/0']);
  running[0]!.end('done');
  if (isRead) await until(() => begun.length === 2);
  else await closed(socket);
  expect(begun).toEqual(isRead ? ['/0', '/1'] : ['/0']);
  expect(answered.split('HTTP/1.1 200')).toHaveLength(2);
});

it('takes no more than a little of what waits', async () => {
  const socket = sending(32);
  const body = 'x'.repeat(30_000);
  const head = `POST /body HTTP/1.1\r\nhost: a\r\ncontent-length: ${body.length}\r\n\r\n`;
  socket.write((head + body).repeat(50));
  await closed(socket);
  expect(socket.bytesWritten).toBeGreaterThan(32 * 30);
  expect(taken).toBeLessThan(400_000);
  expect(begun).toHaveLength(32);
});

it('breaks off a connection that brings far too many', async () => {
  const socket = sending(200);
  await closed(socket);
  expect(begun.length).toBeLessThanOrEqual(32);
});
