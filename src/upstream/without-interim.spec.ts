import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { NetworkTransport } from './network-transport.js';
import { readReply } from './read-reply.js';

const PATIENCE = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
const HINTS = 'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n';
const answer = (text: string): string =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n${text}`;

describe('answers before the final one', () => {
  let server: Server;
  let connections: Set<Socket>;
  let transport: NetworkTransport;
  /** What each request is answered with, in the pieces in which it comes. */
  let pieces: readonly string[];

  beforeEach(async () => {
    connections = new Set();
    transport = new NetworkTransport(PATIENCE);
    server = createServer((socket) => {
      connections.add(socket.setNoDelay());
      socket.on('data', (bytes) => {
        if (bytes.toString().endsWith('{}')) void answerBy(socket);
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterEach(async () => {
    await transport.close();
    for (const socket of connections) socket.destroy();
    server.close();
  });

  async function answerBy(socket: Socket): Promise<void> {
    for (const piece of pieces) {
      socket.write(piece);
      await delay(5);
    }
  }

  const ask = async (): Promise<string> => {
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/`);
    const limits = { signal: new AbortController().signal, stream: false };
    const reply = await transport.send(
      { method: 'POST', url, headers: {}, body: [Buffer.from('{}')] },
      limits,
    );
    return `${reply.status} ${(await readReply(reply)).bytes.toString()}`;
  };

  it.each<[string, readonly string[]]>([
    ['100', [CONTINUE, answer('good')]],
    ['100 in one packet with the final one', [CONTINUE + answer('good')]],
    ['several', [CONTINUE + HINTS, HINTS, CONTINUE, answer('good')]],
    ['some in single bytes', [...(CONTINUE + HINTS + answer('good'))]],
    ['100 of an old server', ['HTTP/1.0 100 Continue\r\n\r\n', answer('good')]],
    ['100 without a phrase', ['HTTP/1.1 100\r\n\r\n', answer('good')]],
  ])('are passed over: %s', async (_name, sent) => {
    pieces = sent;
    expect(await ask()).toBe('200 good');
    expect(await ask()).toBe('200 good');
    expect([...connections].filter((socket) => socket.readableEnded)).toEqual([]);
  });

  it('are not looked for in what the final one says', async () => {
    const text = `${CONTINUE}${answer('no')}`;
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${text.length}\r\n\r\n`;
    pieces = [head, text.slice(0, 3), text.slice(3)];
    expect(await ask()).toBe(`200 ${text}`);
    pieces = [CONTINUE, head, text];
    expect(await ask()).toBe(`200 ${text}`);
  });

  it.each([
    ['a switch to what nobody asked for', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n'],
    ['a head without an end', `HTTP/1.1 100 Continue\r\nx-a: ${'a'.repeat(20_000)}`],
    ['what is no answer', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ])('are not %s', async (_name, sent) => {
    pieces = [sent];
    await expect(ask()).rejects.toMatchObject({ status: 502 });
  });
});
