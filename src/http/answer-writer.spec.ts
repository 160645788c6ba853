import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import express from 'express';
import { once } from 'node:events';
import { get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/support/until.js';
import { type Config } from '../config/config.js';
import { AnswerWriter } from './answer-writer.js';
import { beforeExpress } from './before-express.js';
import { cutUnread } from './stalled-reader.js';

/** More than the connection itself takes while nobody reads. */
const LARGE_BYTES = 32 * 1024 * 1024;

/** Longer than a busy machine halts a reader. */
const STALL_MS = 5_000;

const writer = new AnswerWriter({ streamStallMs: STALL_MS, streamPingMs: 60_000 } as Config);
const free = jest.fn();
let server: Server;
let isSettled = false;

beforeEach(async () => {
  free.mockReset();
  const app = express().get('/', (_request, response) => {
    const memory = Buffer.allocUnsafeSlow(LARGE_BYTES).fill('causeway');
    free.mockImplementation(() => void memory.buffer.transfer(0));
    const body = [memory.subarray(0, 5), memory.subarray(5)];
    return writer.write(response, { headers: {}, body, free: () => void free() });
  });
  app.get('/stream', (_request, response) =>
    writer.write(response, { headers: {}, body: stream() }),
  );
  app.get('/stopping', (_request, response) => {
    response.status(503).end();
    return writer.write(response, { headers: {}, body: stream() });
  });
  app.get('/full', (_request, response) =>
    writer.write(response, { headers: {}, body: untilFull(response) }),
  );
  app.post('/broken', (request, response, next) => {
    request.resume().once('close', () => {
      writer.write(response, { headers: {}, body: broken() }).catch(next);
    });
  });
  server = app.listen(0, '127.0.0.1');
  beforeExpress(server, cutUnread(STALL_MS));
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function* stream(): AsyncGenerator<Buffer> {
  try {
    yield await Promise.resolve(Buffer.from('data: 1\n\n'));
    yield Buffer.from('data: 2\n\n');
  } finally {
    isSettled = true;
  }
}

async function* broken(): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from('data: 1\n\n'));
  throw new TypeError('nobody thought of that');
}

/** Ends with a little that waits for its reader. */
async function* untilFull(response: ServerResponse): AsyncGenerator<Buffer> {
  while (response.writableLength === 0) {
    yield Buffer.alloc(4_096);
    await setImmediate();
  }
}

function asked(path = '/'): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { port } = server.address() as AddressInfo;
  get({ port, path, agent: false }, resolve).on('error', reject);
  return promise;
}

it.each(['close', 'keep-alive'])(
  'leaves the connection of a stream as asked: %s',
  async (connection) => {
    const { port } = server.address() as AddressInfo;
    const asked = get({ port, path: '/stream', headers: { connection }, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    expect(answer.headers.connection).toBe(connection);
    expect(await text(answer)).toContain('data: 2');
    asked.destroy();
  },
);

it('logs what breaks a stream off, also when the request was read long ago', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/broken`, { method: 'POST', body: 'x' });
  expect(await answer.text()).toMatch(/^data: 1\n\n(?:event: error\n)?data: .*internal/is);
  expect(warn.mock.calls).toEqual([
    [expect.objectContaining({ error: expect.stringContaining('nobody thought of that') })],
  ]);
  warn.mockRestore();
});

it('gives the memory of a body back when it has been sent, and not before', async () => {
  const slow = await asked();
  // Nothing tells that nothing happens.
  await delay(200);
  expect(free).not.toHaveBeenCalled();
  const received = await buffer(slow);
  expect(received.equals(Buffer.alloc(LARGE_BYTES, 'causeway'))).toBe(true);
  await until(() => free.mock.calls.length === 1);
});

it('outlives a caller who leaves in the middle of a body', async () => {
  (await asked()).destroy();
  await until(() => free.mock.calls.length === 1);
  expect(await buffer(await asked())).toHaveLength(LARGE_BYTES);
});

it('settles a stream that comes when its request was answered otherwise', async () => {
  const response = await asked('/stopping');
  expect([response.statusCode, await text(response)]).toEqual([503, '']);
  await until(() => isSettled);
});

it('cuts a reader that does not take the last of a stream', async () => {
  const [[, response], reader] = await Promise.all([once(server, 'request'), asked('/full')]);
  const endedAt = once(response, 'prefinish').then(() => performance.now());
  await once(response, 'close');
  expect(response.writableFinished).toBe(false);
  expect(performance.now() - (await endedAt)).toBeLessThan(1.7 * STALL_MS);
  reader.destroy();
});

it.each([
  ['1.0', 'close'],
  ['1.1', 'keep-alive'],
])('says of a stream in HTTP/%s what becomes of its connection', async (version, said) => {
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.write(`GET /stream HTTP/${version}\r\nHost: a\r\nConnection: keep-alive\r\n\r\n`);
  let heard = '';
  caller.setEncoding('utf8').on('data', (piece: string) => (heard += piece));
  await until(() => heard.includes('data: 2'));
  caller.destroy();
  expect(/^connection: (.*)\r$/im.exec(heard)?.[1]).toBe(said);
});
