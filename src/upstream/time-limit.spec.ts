import { afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setImmediate as nextRound, setTimeout as delay } from 'node:timers/promises';
import { NetworkTransport } from './network-transport.js';
import { readReply } from './read-reply.js';
import { TimeLimit } from './time-limit.js';

const LIMIT_MS = 100;
const PATIENT = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };

function keepLoopFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe('TimeLimit', () => {
  it('is over once, and not again when it was ended or begun anew', async () => {
    let over = 0;
    const [plain, ended, anew] = [0, 0, 0].map(() => new TimeLimit(1, () => (over += 1)));
    keepLoopFor(5);
    ended?.end();
    anew?.beginAnew();
    await judged();
    expect(over).toBe(2);
    plain?.beginAnew();
    await judged();
    expect(over).toBe(3);
  });

  /** Long after each limit, and when those have been judged that are over in this very round. */
  const judged = async (): Promise<void> => {
    await delay(30);
    await nextRound();
  };
});

describe('an answer that came while the event loop was late', () => {
  let server: Server;
  let transport: NetworkTransport;
  afterEach(async () => {
    await transport.close();
    server.closeAllConnections();
    server.close();
  });

  /** A provider in this process, whose loop is late as soon as it has sent what it sends. */
  const answer = async (limits: Partial<typeof PATIENT>, sends: string[]) => {
    server = createServer((request, response) => {
      request.resume().once('end', () => {
        void (async () => {
          for (const piece of sends) {
            response.write(piece);
            keepLoopFor(2 * LIMIT_MS);
            // What was sent is read before the next piece is.
            for (let round = 0; round < 5; round += 1) await nextRound();
          }
          response.end();
        })();
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    transport = new NetworkTransport({ ...PATIENT, ...limits });
    const { port } = server.address() as AddressInfo;
    const url = new URL(`http://127.0.0.1:${port}/`);
    const request = { method: 'POST' as const, url, headers: {}, body: [Buffer.from('{}')] };
    const { signal } = new AbortController();
    const reply = await readReply(await transport.send(request, { signal, stream: true }));
    return reply.bytes.toString();
  };

  it('came in time to begin', async () => {
    expect(await answer({ firstByteMs: LIMIT_MS }, ['hello'])).toBe('hello');
  });

  it('did not stop', async () => {
    expect(await answer({ idleMs: LIMIT_MS }, ['he', 'll', 'o'])).toBe('hello');
  });
});
