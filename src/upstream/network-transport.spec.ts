import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { decompressed } from './decompress.js';
import { type Timeouts } from '../config/config.js';
import { NetworkTransport } from './network-transport.js';
import { readRefusal, readReply } from './read-reply.js';

/** Longer than any test, so that a busy machine comes to no limit but the one that is meant. */
const PATIENCE = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };

describe('NetworkTransport', () => {
  let server: Server;
  let handler: (response: ServerResponse) => void;
  const transports: NetworkTransport[] = [];
  let closed: Promise<void>;

  beforeEach(async () => {
    closed = new Promise((resolve) => {
      server = createServer((request, response) => {
        response.once('close', () => {
          resolve();
        });
        request.resume().once('end', () => {
          handler(response);
        });
      });
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterEach(async () => {
    for (const transport of transports.splice(0)) await transport.close();
    server.closeAllConnections();
    server.close();
  });

  const within = (limits: Partial<Timeouts>): NetworkTransport => {
    const transport = new NetworkTransport({ ...PATIENCE, ...limits });
    transports.push(transport);
    return transport;
  };
  const send = ({
    host = '127.0.0.1',
    port = (server.address() as AddressInfo).port,
    via = within({}),
    ...limits
  }: {
    host?: string;
    port?: number;
    via?: NetworkTransport;
    signal?: AbortSignal;
    stream?: boolean;
  } = {}) =>
    via.send(
      {
        method: 'POST',
        url: new URL(`http://${host}:${port}/x?y=1`),
        headers: { 'content-type': 'application/json' },
        body: [Buffer.from('{'), Buffer.from('}')],
      },
      { signal: new AbortController().signal, stream: false, ...limits },
    );

  it('brings status, headers and body', async () => {
    handler = (response) => response.writeHead(201, { 'x-a': 'b' }).end('hello');
    const answer = await send();
    expect(answer).toMatchObject({ status: 201, headers: { 'x-a': 'b' } });
    expect((await readReply(answer)).bytes.toString()).toBe('hello');
  });

  it('finds a provider by its name', async () => {
    handler = (response) => response.end('found');
    const { bytes } = await readReply(await send({ host: 'localhost' }));
    expect(bytes.toString()).toBe('found');
  });

  it('does not follow a redirect', async () => {
    handler = (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
    expect((await send()).status).toBe(302);
  });

  it.each([
    ['never answers', () => undefined, 504],
    ['cuts the connection', (response: ServerResponse) => response.destroy(), 502],
  ])('fails when the provider %s', async (_, act, status) => {
    handler = act as typeof handler;
    const via = within({ firstByteMs: 300 });
    await expect(send({ via })).rejects.toMatchObject({
      status,
      details: { upstream: { status: 0 } },
    });
  });

  it('fails with 502 where nobody listens', async () => {
    await expect(send({ port: 1 })).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
  });

  it('fails while reading when the body falls silent, and over all when it drips', async () => {
    handler = (response) => response.writeHead(200).write('{');
    const silent = await send({ via: within({ idleMs: 300 }) });
    await expect(readReply(silent)).rejects.toMatchObject({ status: 504 });
    handler = (response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 100);
      response.once('close', () => {
        clearInterval(drip);
      });
    };
    const dripping = await send({ via: within({ totalMs: 900 }) });
    await expect(readReply(dripping)).rejects.toMatchObject({ status: 504 });
  });

  it('lets a body be silent for as long as it may', async () => {
    const idleMs = 800;
    const via = within({ idleMs });
    handler = (response) => response.writeHead(200).write('x');
    // Begun one after the other, as a timer that counts in steps would meet them at any point of one.
    const silences = Array.from({ length: 6 }, async (_, turn) => {
      await delay(turn * 100);
      const answer = await send({ stream: true, via });
      const startedAt = performance.now();
      await expect(readReply(answer)).rejects.toMatchObject({ status: 504 });
      return performance.now() - startedAt;
    });
    expect(Math.min(...(await Promise.all(silences)))).toBeGreaterThan(idleMs - 50);
  });

  it('lets a stream drip for as long as it likes', async () => {
    handler = (response) => {
      response.writeHead(200);
      let left = 12;
      const drip = setInterval(() => {
        if (left-- > 0) response.write('x');
        else {
          clearInterval(drip);
          response.end();
        }
      }, 100);
    };
    const answer = await send({ stream: true, via: within({ totalMs: 900 }) });
    expect((await readReply(answer)).bytes.length).toBe(12);
  });

  it.each(['before the head', 'while reading'])('is cut at once by its signal %s', async (when) => {
    const abort = new AbortController();
    const reason = new Error('the caller left');
    handler = (response) => {
      if (when === 'while reading') response.writeHead(200).write('x');
      setTimeout(() => {
        abort.abort(reason);
      }, 50);
    };
    const reading = send({ signal: abort.signal, stream: true }).then(readReply);
    await expect(reading).rejects.toBe(reason);
    await closed;
  });

  it('uses no connection in the moment in which the provider may end it', async () => {
    // As Node's servers do, and uvicorn's below vLLM, but those do not say so.
    const idleMs = 5_000;
    server.keepAliveTimeout = idleMs;
    server.keepAliveTimeoutBuffer = 0;
    handler = (response) => response.writeHead(200, { 'keep-alive': '' }).end('x');
    const client = async (index: number): Promise<void> => {
      const via = within({});
      await readReply(await send({ via }));
      await delay(idleMs - 4 + (index % 9));
      await readReply(await send({ via }));
    };
    const clients = Array.from({ length: 600 }, (_, index) => client(index));
    const ended = await Promise.allSettled(clients);
    expect(ended.filter(({ status }) => status === 'rejected')).toEqual([]);
  });

  it('frees the connection of a reader who leaves', async () => {
    handler = (response) => response.writeHead(200).write('x');
    const answer = await send({ stream: true });
    for await (const chunk of answer.body) {
      expect(chunk.toString()).toBe('x');
      break;
    }
    await closed;
  });

  it('frees the connection of an answer that nobody can decode', async () => {
    handler = (response) => {
      response.writeHead(200, { 'content-encoding': 'zstd' });
      const drip = setInterval(() => response.write('x'), 50);
      response.once('close', () => {
        clearInterval(drip);
      });
    };
    const answer = await send({ stream: true });
    const reading = readReply({ ...answer, body: decompressed(answer) });
    await expect(reading).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
    await closed;
  });

  it('frees the connection of a compressed answer that is damaged', async () => {
    handler = (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).write('this is no gzip');
    };
    const answer = await send({ stream: true });
    const reading = readReply({ ...answer, body: decompressed(answer) });
    await expect(reading).rejects.toMatchObject({ status: 502, code: 'upstream_error' });
    await closed;
  });

  it('frees the connection of a compressed refusal that hangs', async () => {
    handler = (response) => {
      response.writeHead(400, { 'content-encoding': 'gzip' });
      response.write(gzipSync('{"error":"no"}').subarray(0, 15));
    };
    const answer = await send();
    const reply = await readRefusal({ ...answer, body: decompressed(answer) }, 50);
    expect([reply.status, reply.bytes.length]).toEqual([400, 0]);
    await closed;
  });

  it('cuts off whoever goes on although the reader has left', async () => {
    let written = 0;
    handler = (response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed) {
          written += 65_536;
          if (response.write(Buffer.alloc(65_536))) continue;
          response.once('drain', more);
          return;
        }
      };
      more();
    };
    const pieces = (await send({ stream: true })).body[Symbol.asyncIterator]();
    await pieces.next();
    await pieces.return?.();
    await closed;
    // What was on its way counts, too.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });

  it('holds a fast provider back for a slow reader', async () => {
    let written = 0;
    handler = (response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (written < 64 * 1024 * 1024) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    };
    const answer = await send({ stream: true });
    await new Promise((later) => setTimeout(later, 200));
    expect(written).toBeLessThan(16 * 1024 * 1024);
    expect((await readReply(answer)).bytes.length).toBe(64 * 1024 * 1024);
  });
});

describe('decompressed', () => {
  async function* body(...chunks: Buffer[]) {
    for (const chunk of chunks) yield await Promise.resolve(chunk);
  }
  const read = (encoding: string, ...chunks: Buffer[]) => {
    const answer = {
      status: 200,
      headers: { 'content-encoding': encoding },
      body: body(...chunks),
    };
    return readReply({ ...answer, body: decompressed(answer) });
  };

  it('undoes gzip, also in pieces', async () => {
    const zipped = gzipSync('hello');
    const reply = await read('gzip', zipped.subarray(0, 5), zipped.subarray(5));
    expect(reply.bytes.toString()).toBe('hello');
  });

  it.each(['', 'identity', 'None', 'utf-8'])('takes %j for no encoding', async (encoding) => {
    expect((await read(encoding, Buffer.from('hello'))).bytes.toString()).toBe('hello');
  });

  it('fails with 502 for data that is cut, and for what it does not know', async () => {
    const broken = { status: 502, details: { upstream: { status: 200 } } };
    await expect(read('gzip', gzipSync('hello').subarray(0, 12))).rejects.toMatchObject(broken);
    await expect(async () => read('gzip, gzip', gzipSync('x'))).rejects.toMatchObject(broken);
  });

  it('stops at the limit of a reply', async () => {
    const bomb = gzipSync(Buffer.alloc(128 * 1024 * 1024));
    await expect(read('gzip', bomb)).rejects.toThrow('too long');
  });
});
