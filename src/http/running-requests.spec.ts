import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config } from '../config/config.js';
import { type ArrivedRequest } from './gateway-request.js';
import { mostConnections } from './most-connections.js';
import { RunningRequests } from './running-requests.js';

let server: Server;
/** The answers that have not ended, by path. */
let open: Map<string, ServerResponse>;
beforeEach(async () => {
  open = new Map();
  const running = new RunningRequests();
  server = createServer((request, response) => {
    running.track(request as ArrivedRequest, response, () => {
      const { url = '' } = request;
      if (url.startsWith('/open')) running.keep(response);
      if (/^\/(open|unknown)/.test(url)) open.set(url, response);
      else response.end();
    });
  });
  running.watch(server, 3);
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const connected = async (): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  // The server has it before the next one.
  await delay(20);
  return socket;
};
const ask = async (socket: Socket, path: string): Promise<void> => {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  await (/^\/(open|unknown)/.test(path) ? delay(20) : once(socket, 'data'));
};
const closed = (sockets: readonly Socket[]): readonly boolean[] =>
  sockets.map((socket) => socket.closed || socket.readableEnded);

it('closes the connection that has had no request for the longest, for a new one', async () => {
  const sockets = [await connected(), await connected(), await connected()];
  await ask(sockets[0]!, '/');
  sockets.push(await connected());
  await ask(sockets[3]!, '/');
  expect(closed(sockets)).toEqual([false, true, false, false]);
  sockets.push(await connected());
  await ask(sockets[4]!, '/');
  expect(closed(sockets)).toEqual([false, true, true, false, false]);
  sockets.push(await connected());
  expect(closed(sockets)).toEqual([true, true, true, false, false, false]);
});

it('leaves those on which a request runs, and closes the new one where one runs on all', async () => {
  const sockets = [await connected(), await connected(), await connected()];
  for (const [at, socket] of sockets.entries()) await ask(socket, `/open/${at}`);
  sockets.push(await connected());
  expect(closed(sockets)).toEqual([false, false, false, true]);
  // Two requests run on it, of which one ends.
  await ask(sockets[0]!, '/open/more');
  open.get('/open/0')!.end();
  open.get('/open/1')!.end();
  await delay(20);
  sockets.push(await connected());
  expect(closed(sockets)).toEqual([false, true, false, true, false]);
});

it('closes the one whose request is of nobody who is known, where one runs on all', async () => {
  const sockets = [await connected(), await connected(), await connected()];
  for (const [at, socket] of sockets.entries()) {
    await ask(socket, `/${at === 1 ? 'unknown' : 'open'}/${at}`);
  }
  sockets.push(await connected());
  await ask(sockets[3]!, '/unknown/3');
  expect(closed(sockets)).toEqual([false, true, false, false]);
  // One of a known caller is behind it; it is over, and then the other is open to all again.
  await ask(sockets[0]!, '/unknown/more');
  sockets.push(await connected());
  expect(closed(sockets)).toEqual([false, true, false, true, false]);
  await ask(sockets[4]!, '/open/4');
  open.get('/open/0')!.end();
  await delay(20);
  sockets.push(await connected());
  expect(closed(sockets)).toEqual([true, true, false, true, false, false]);
});

it('closes one whose caller is not known where all others have a request, and else one without', async () => {
  const sockets = [await connected(), await connected(), await connected()];
  for (const [at, socket] of sockets.entries()) await ask(socket, `/unknown/${at}`);
  sockets.push(await connected(), await connected());
  expect(closed(sockets)).toEqual([true, false, false, true, false]);
});

it('has room again for those that were closed', async () => {
  const sockets = [await connected(), await connected(), await connected()];
  sockets[0]!.destroy();
  sockets[1]!.destroy();
  await delay(20);
  sockets.push(await connected(), await connected());
  expect(closed(sockets)).toEqual([true, true, false, false, false]);
});

it('leaves half of what the process may have open for the calls, unless it is set', () => {
  expect(mostConnections({ maxConnections: 7, workers: 1 } as Config)).toBe(7);
  const most = mostConnections({ maxConnections: undefined, workers: 1 } as Config);
  expect(most).toBeGreaterThanOrEqual(20);
  expect(mostConnections({ maxConnections: undefined, workers: 64 } as Config)).toBeLessThanOrEqual(
    most,
  );
});
