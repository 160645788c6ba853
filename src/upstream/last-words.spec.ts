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
  const answer = 'HTTP/1.1 413 Too Large\\r\\nconnection: close\\r\\ncontent-length: 8\\r\\n\\r\\ntoo long';
  const server = createServer((socket) => {
    socket.on('error', () => undefined).once('data', (data) => {
      socket.pause();
      if (data.includes('/silent')) socket.resetAndDestroy();
      else socket.write(answer, () => socket.destroy());
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

it.each<[string, OutgoingBody]>([
  ['sent at once', [LONG]],
  ['sent in pieces', { length: LONG.length, pieces: slices }],
])(
  'hears a provider that refuses a request before it is whole, and closes (%s)',
  async (_, body) => {
    for (let times = 0; times < 40; times += 1) {
      const reply = await readReply(await send('/', body));
      expect([reply.status, reply.bytes.toString()]).toEqual([413, 'too long']);
    }
  },
);

it('fails where a provider closes without a word', async () => {
  const error = { status: 502, details: { upstream: { status: 0 } } };
  await expect(send('/silent', [LONG])).rejects.toMatchObject(error);
});
