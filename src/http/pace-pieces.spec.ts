import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeExpress } from './before-express.js';
import { pacePieces } from './pace-pieces.js';
import { cutUnreadRests } from './unread-rest.js';

/** What is read of a connection at once. */
const READ_BYTES = 64 * 1024;
const SENDERS = 6;
const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n';
/** A body in chunks of one byte, as it is sent. */
const chunked = (bytes: number) => `${'1\r\nx\r\n'.repeat(bytes)}0\r\n\r\n`;
const MOST_IN_A_READ = READ_BYTES / '1\r\nx\r\n'.length;

describe('pacePieces', () => {
  const sockets: Socket[] = [];
  let server: Server;
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
    server = createServer();
    server.on('request', answer);
    beforeExpress(server, pacePieces(server));
    cutUnreadRests(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }

  async function opened(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  }

  async function send(bytes: number): Promise<Socket> {
    const socket = await opened();
    socket.write(HEAD + chunked(bytes));
    return socket;
  }

  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['read', (request) => request.resume()],
    ['kept waiting', () => undefined],
    ['thrown away', (_, response) => response.writeHead(401).end()],
  ])('lets others in after each read of bodies that are %s', async (_, answer) => {
    const rounds: number[] = [];
    let pieces = 0;
    let first = 0;
    await serve((request, response) => {
      first += 1;
      const { push } = request;
      request.push = (piece: Buffer | null, encoding) => {
        if (pieces === 0) {
          setImmediate(() => {
            // Nobody knows what comes before the first read of each.
            if (first === 0) rounds.push(pieces);
            [pieces, first] = [0, 0];
          });
        }
        pieces += 1;
        return push.call(request, piece, encoding);
      };
      answer(request, response);
    });
    await Promise.all(Array.from({ length: SENDERS }, () => send(200_000)));
    while (rounds.length < SENDERS) await delay(10);
    expect(Math.max(...rounds)).toBeLessThan(2 * MOST_IN_A_READ);
  });

  it('lets others in between many connections that bring them at once', async () => {
    let pieces = 0;
    let most = 0;
    let requests = 0;
    await serve((request) => {
      requests += 1;
      const { push } = request;
      request.push = (piece: Buffer | null, encoding) => {
        if (pieces === 0) {
          setImmediate(() => {
            most = Math.max(most, pieces);
            pieces = 0;
          });
        }
        pieces += 1;
        return push.call(request, piece, encoding);
      };
      request.resume();
    });
    // All are there before the first of them sends, so that what they bring may be read in one round.
    const senders: Socket[] = [];
    while (senders.length < 10 * SENDERS) {
      const [socket] = await Promise.all([opened(), once(server, 'connection')]);
      senders.push(socket);
    }
    for (const socket of senders) socket.write(HEAD + chunked(200_000));
    while (requests < senders.length) await delay(10);
    expect(most).toBeLessThan(2 * MOST_IN_A_READ);
  });

  it('keeps every byte, and the connection for what comes next', async () => {
    await serve((request, response) => {
      void buffer(request).then((body) => response.end(`${body.length}`));
    });
    const socket = await send(50_000);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/\r\n50000$/);
    socket.write(HEAD + chunked(10));
    const [second] = (await once(socket, 'data')) as [Buffer];
    expect(second.toString()).toMatch(/\r\n10$/);
  });
});
