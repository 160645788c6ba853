import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { cutUnreadRests } from './unread-rest.js';

/** Longer than a busy machine halts a caller. */
const MOST_MS = 1_000;
const MOST_BYTES = 2 ** 20;
const head = (length: number) => `POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${length}\r\n\r\n`;

describe('cutUnreadRests', () => {
  let server: Server;
  let socket: Socket;
  beforeEach(async () => {
    server = createServer((_, response) => response.writeHead(401).end());
    cutUnreadRests(server, { ms: MOST_MS, bytes: MOST_BYTES });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    socket.on('error', () => undefined);
  });
  afterEach(() => {
    socket.destroy();
    server.close();
  });

  it('ends a connection whose body drips on behind its answer', async () => {
    // What drips behind the end may be told as a reset, by which `once` would fail.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(head(5_000));
    await once(socket, 'data');
    const drip = setInterval(() => socket.write('x'), 50);
    await closed;
    clearInterval(drip);
  });

  it('ends one whose body brings too much, before its time is over', async () => {
    server.closeAllConnections();
    server.removeAllListeners('request');
    server.on('request', (_, response: ServerResponse) => response.writeHead(401).end());
    cutUnreadRests(server, { ms: 2 ** 30, bytes: MOST_BYTES });
    socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    const closed = new Promise((resolve) => {
      socket.on('error', () => undefined).once('close', resolve);
    });
    const piece = Buffer.alloc(2 ** 16);
    const send = (): void => {
      while (socket.writable && socket.write(piece));
    };
    socket.write(head(2 ** 40));
    socket.on('drain', send);
    send();
    await closed;
  });

  it('keeps one whose body came to its end in time', async () => {
    socket.write(head(50));
    await once(socket, 'data');
    socket.write('x'.repeat(50));
    await delay(2 * MOST_MS);
    socket.write(head(50));
    await once(socket, 'data');
  });
});
