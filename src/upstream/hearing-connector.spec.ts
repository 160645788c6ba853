import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type OutgoingBody } from '../providers/transport.js';
import { NetworkTransport } from './network-transport.js';
import { readReply } from './read-reply.js';

const PATIENCE = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };
/** More than the system's buffers take. */
const LONG = Buffer.alloc(16 * 1024 * 1024, 'a');

/** In a thread of its own, as a provider closes at any moment and not only when this one waits. */
const SERVER = `
  const { createServer } = require('node:net');
  const { parentPort } = require('node:worker_threads');
  const head = 'HTTP/1.1 413 Too Large\\r\\ncontent-length: 8\\r\\n';
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', (data) => {
      socket.pause();
      if (data.includes('/silent')) socket.resetAndDestroy();
      else if (data.includes('/deaf')) socket.write(head + '\\r\\ntoo long');
      else socket.write(head + 'connection: close\\r\\n\\r\\ntoo long', () => socket.destroy());
    });
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

let thread: Worker;
let port: number;
let transport: NetworkTransport;

beforeAll(async () => {
  thread = new Worker(SERVER, { eval: true });
  [port] = (await once(thread, 'message')) as [number];
});
afterAll(() => thread.terminate());
beforeEach(() => {
  transport = new NetworkTransport(PATIENCE);
});
afterEach(() => transport.close());

const send = (path: string, body: OutgoingBody) => {
  const url = new URL(path, `http://127.0.0.1:${port}`);
  const headers = { 'content-type': 'application/json' };
  const limits = { signal: new AbortController().signal, stream: false };
  return transport.send({ method: 'POST', url, headers, body }, limits);
};

async function* slices(): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < LONG.length; at += 262_144) {
    yield await Promise.resolve(LONG.subarray(at, at + 262_144));
  }
}

const BODIES: [string, OutgoingBody][] = [
  ['sent at once', [LONG]],
  ['sent in pieces', { length: LONG.length, pieces: slices }],
];

it.each(BODIES)(
  'hears a provider that refuses a request before it is whole, and closes (%s)',
  async (_, body) => {
    for (let times = 0; times < 40; times += 1) {
      const reply = await readReply(await send('/', body));
      expect([reply.status, reply.bytes.toString()]).toEqual([413, 'too long']);
    }
  },
);

it.each(BODIES)(
  'sends nothing behind a request that a provider has refused and takes no more of (%s)',
  async (_, body) => {
    for (let times = 0; times < 3; times += 1) {
      const reply = await readReply(await send('/deaf', body));
      expect([reply.status, reply.bytes.toString()]).toEqual([413, 'too long']);
    }
  },
);

it('fails where a provider closes without a word', async () => {
  const error = { status: 502, details: { upstream: { status: 0 } } };
  await expect(send('/silent', [LONG])).rejects.toMatchObject(error);
});
