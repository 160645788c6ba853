import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate as nextRound } from 'node:timers/promises';
import { SlicedConnections } from './read-in-slices.js';

/** A request as it is sent, and its body as it is read. */
interface Sent {
  readonly wire: string;
  readonly body: string;
}

const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\n';
const withLength = (body: string): Sent => ({
  wire: `${HEAD}content-length: ${body.length}\r\n\r\n${body}`,
  body,
});
const inChunks = (chunks: string[]): Sent => ({
  wire: `${HEAD}transfer-encoding: chunked\r\n\r\n${chunks
    .map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    .join('')}0\r\n\r\n`,
  body: chunks.join(''),
});
const letters = (maxLength: number, minLength = 0) =>
  fc
    .integer({ min: minLength, max: maxLength })
    .map((length) => 'abcdefg'.repeat(length).slice(0, length));
const request = fc.oneof(
  letters(5000).map(withLength),
  fc.array(letters(900, 1), { maxLength: 9 }).map(inChunks),
);

describe('connections that are read in slices', () => {
  let server: Server;
  let connections: SlicedConnections;
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function serve(answer: RequestListener): Promise<void> {
    server = createServer(answer);
    connections = new SlicedConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
  }

  async function connected(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  }

  const echo: RequestListener = (asked, response) => {
    void buffer(asked).then((body) => response.end(body));
  };

  it('bring what was sent, in its order, however it is cut', async () => {
    await serve(echo);
    await fc.assert(
      fc.asyncProperty(
        fc.array(request, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 9000 }),
        fc.boolean(),
        async (requests, size, isBefore) => {
          if (isBefore) connections.slice();
          const socket = await connected();
          const answers = text(socket);
          const wire = requests.map((one) => one.wire).join('');
          for (let at = 0; at < wire.length; at += size) {
            socket.write(wire.slice(at, at + size));
            await nextRound();
            connections.slice();
          }
          socket.end();
          const bodies = (await answers).split(/HTTP\/1\.1 200 OK[^]*?\r\n\r\n/).slice(1);
          expect(bodies).toEqual(requests.map(({ body }) => body));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('wait while nobody takes what they bring', async () => {
    let seen = 0;
    await serve((asked, response) => {
      asked.once('readable', () => {
        seen = asked.readableLength;
        setTimeout(() => void buffer(asked).then((body) => response.end(`${body.length}`)), 50);
      });
    });
    connections.slice();
    const socket = await connected();
    socket.write(withLength('x'.repeat(5_000_000)).wire);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/\r\n\r\n5000000$/);
    expect(seen).toBeLessThan(200_000);
    socket.destroy();
  });

  it('are told what was wrong with them', async () => {
    await serve(echo);
    server.on('clientError', (_, socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\nNo.'));
    connections.slice();
    const socket = await connected();
    socket.write(`no http\r\n\r\n${'x'.repeat(50_000)}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*No\.$/);
  });
});
