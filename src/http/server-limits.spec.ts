import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { until } from '../../test/support/until.js';
import { limitServer } from './server-limits.js';

it.each([
  ['reads the refusal', false],
  ['reads nothing', true],
])('keeps no connection that was refused, although its caller %s and stays', async (_, isDeaf) => {
  const server = createServer();
  limitServer(server);
  server.headersTimeout = 100;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  if (isDeaf) socket.pause();
  else socket.resume();
  socket.write('GET / HTTP/1.1\r\n');
  const connections = promisify(server.getConnections.bind(server));
  await until(async () => (await connections()) === 1);
  await until(async () => (await connections()) === 0);
  socket.destroy();
  server.close();
});

it('is not ended by callers who ask for a proxy and reset the connection', async () => {
  const server = createServer();
  limitServer(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  for (let caller = 0; caller < 5; caller++) {
    const socket = connect({ port, host: '127.0.0.1' });
    const taken = once(server, 'connection') as Promise<[Socket]>;
    socket.write('CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n', () => socket.resetAndDestroy());
    const [other] = await taken;
    if (!other.closed) await new Promise((resolve) => other.once('close', resolve));
  }
  server.close();
});

it.each([
  ['is told of a proxy that there is none behind the answers that were under way', false],
  ['is noticed when it leaves before that', true],
])('a caller %s', async (_, leaves) => {
  const running: ServerResponse[] = [];
  const server = createServer((_request, response) => running.push(response));
  limitServer(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  let answered = '';
  socket.on('data', (bytes: Buffer) => (answered += bytes.toString()));
  const asked = `${'GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(2)}CONNECT a:1 HTTP/1.1\r\nhost: a\r\n\r\n`;
  socket.write(asked);
  await until(() => running[0]?.req.socket.bytesRead === asked.length);
  if (leaves) socket.destroy();
  else for (const response of running) response.end('done');
  await Promise.all([
    ...running.map((response) => once(response, 'close')),
    leaves ? undefined : once(socket, 'close'),
  ]);
  const told = [...answered.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(told).toEqual(leaves ? [] : ['200', '200', '501']);
  server.close();
});
