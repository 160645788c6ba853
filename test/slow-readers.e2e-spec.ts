import { beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { png } from './support/images.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const START =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":10,"output_tokens":1}}}\n\n';
const PIECE = Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'.repeat(2_000));
/** What the buffers of two sockets and of the gateway may take. */
const MOST_BUFFERED = 32 * 1024 * 1024;
/** Of an answer that is whole: more than the buffers of the one socket behind it take. */
const LARGE_BYTES = 20 * 1024 * 1024;

const STREAMED = JSON.stringify({
  ...{ model: 'anthropic/claude-sonnet-4-5', messages: [], stream: true },
});

const STALL_MS = 1_500;
const gateway = useGateway({ STREAM_STALL_MS: String(STALL_MS) });

/** A caller who has sent a request, and reads nothing yet. */
function asks(path: string, body: string): Socket {
  const { hostname, port } = new URL(gateway.url);
  const reader = connect(Number(port), hostname);
  reader.on('error', () => undefined);
  reader.pause();
  reader.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return reader;
}

const KB = 1024;
const held = () => metric(gateway, 'causeway_buffered_bytes');
/** All metrics are written for a look at this one. */
const SELDOM = { everyMs: 100 };

it('a reader that takes nothing pauses the provider, is counted with what waits, and is cut in time', async () => {
  let written = 0;
  let writtenAt = 0;
  gateway.upstream.answers((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(START);
    const more = (): void => {
      while (!response.destroyed) {
        written += PIECE.length;
        writtenAt = performance.now();
        if (!response.write(PIECE)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  const reader = asks('/v3/v1/messages', STREAMED);
  await until(async () => (await held()) > 256 * KB, SELDOM);
  await until(() => performance.now() - writtenAt > STALL_MS / 3);
  expect(gateway.upstream.aborted).toBe(0);
  const send = setInterval(() => reader.write('\r\n'), STALL_MS / 5);
  await until(() => gateway.upstream.aborted > 0);
  clearInterval(send);
  expect(performance.now() - writtenAt).toBeLessThan(1.7 * STALL_MS);
  await until(async () => (await held()) === 0, SELDOM);
  expect([gateway.upstream.aborted, written <= MOST_BUFFERED]).toEqual([1, true]);
  const rows = async () => {
    const listed = await fetch(`${gateway.url}/v3/admin/requests`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    return ((await listed.json()) as any).data;
  };
  await until(async () => (await rows()).length > 0);
  expect(await rows()).toMatchObject([{ outcome: 'client_closed' }]);
  reader.destroy();
}, 20_000);

it('a reader that is slow but steady has all of a stream', async () => {
  const EVENTS = 2;
  const EVENT_BYTES = 24 * 1024 * KB;
  const filler = 'x'.repeat(EVENT_BYTES);
  const large = Buffer.from(`event: ping\ndata: {"type":"ping","filler":"${filler}"}\n\n`);
  gateway.upstream.answers((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(START);
    for (let event = 0; event < EVENTS; event++) response.write(large);
    response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  });
  const reader = asks('/v3/v1/messages', STREAMED);
  const startedAt = performance.now();
  let dueAt = 0;
  let last = '';
  for await (const chunk of reader as AsyncIterable<Buffer>) {
    last = (last + chunk.subarray(-1_000).toString('latin1')).slice(-1_000);
    if (last.includes('message_stop')) break;
    // One event takes longer than a reader may stall, and a system's buffers of some megabytes do not.
    dueAt ||= performance.now();
    dueAt += (chunk.length / EVENT_BYTES) * 2.5 * STALL_MS;
    await delay(Math.max(0, dueAt - performance.now()));
  }
  expect(last).toContain('message_stop');
  expect(performance.now() - startedAt).toBeGreaterThan(4 * STALL_MS);
}, 30_000);

it('a provider that is silent for longer than a reader may be is waited for', async () => {
  gateway.upstream.answers(async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(START);
    for (let piece = 0; piece < 100; piece++) response.write(PIECE);
    await delay(3 * STALL_MS);
    response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  });
  const reader = asks('/v3/v1/messages', STREAMED);
  await delay(STALL_MS / 3);
  let last = '';
  for await (const chunk of reader as AsyncIterable<Buffer>) {
    last = (last + chunk.subarray(-1_000).toString('latin1')).slice(-1_000);
    if (last.includes('message_stop')) break;
  }
  expect(last).toContain('message_stop');
}, 30_000);

it('an image that is kept waits for a reader no longer than an answer does', async () => {
  const image = png(640, 480, Buffer.alloc(LARGE_BYTES));
  gateway.upstream.replies(200, { created: 1, data: [{ b64_json: image.toString('base64') }] });
  const asked = { model: 'openai/gpt-image-1', prompt: 'x', response_format: 'url' };
  const { body } = await gateway.post('/v3/images/generations', asked).expect(200);
  const { pathname, search, hostname, port } = new URL(body.data[0].url as string);
  const accepted = once(gateway.app.getHttpServer(), 'connection');
  const reader = connect(Number(port), hostname);
  let bytes = 0;
  reader.on('data', (chunk: Buffer) => (bytes += chunk.length)).pause();
  const [socket] = (await accepted) as [Socket];
  const cut = once(socket, 'close');
  reader.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await cut;
  reader.on('error', () => undefined).resume();
  await until(() => reader.destroyed);
  expect(bytes).toBeLessThan(image.length);
  const whole = await fetch(body.data[0].url as string);
  expect(Buffer.from(await whole.arrayBuffer()).equals(image)).toBe(true);
}, 40_000);

describe('a large answer that is whole', () => {
  const body = JSON.stringify({ model: 'openai/gpt-image-1', prompt: 'x' });
  const data = [{ b64_json: 'iVBORw0KGgoAAAANSUhEUg'.padEnd(LARGE_BYTES, 'A') }];
  const answer = Buffer.from(JSON.stringify({ created: 1, data }));
  beforeEach(() => {
    gateway.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });

  it('is cut where its readers take nothing, and what they held is free', async () => {
    const readers = [1, 2].map(() => asks('/v3/images/generations', body));
    await until(async () => (await held()) > LARGE_BYTES, SELDOM);
    await until(async () => (await held()) === 0, SELDOM);
    for (const reader of readers) {
      let bytes = 0;
      reader.on('data', (chunk: Buffer) => (bytes += chunk.length));
      reader.resume();
      await until(() => reader.destroyed);
      expect(bytes).toBeLessThan(LARGE_BYTES);
    }
  }, 20_000);

  it('is whole for a reader that is slow but steady', async () => {
    const reader = asks('/v3/images/generations', body);
    const startedAt = performance.now();
    let dueAt = 0;
    let bytes = 0;
    for await (const chunk of reader as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > LARGE_BYTES) break;
      dueAt ||= performance.now();
      dueAt += (chunk.length / LARGE_BYTES) * 3 * STALL_MS;
      await delay(Math.max(0, dueAt - performance.now()));
    }
    expect(bytes).toBeGreaterThan(LARGE_BYTES);
    expect(performance.now() - startedAt).toBeGreaterThan(2 * STALL_MS);
  }, 30_000);
});
