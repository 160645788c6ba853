import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { begin, good, goodText, type Kind, KINDS, REQUESTS } from './support/fault-answers.js';
import { type Gate } from './support/fault-callers.js';
import { useFaultyProvider } from './support/fault-gateway.js';
import { until } from './support/until.js';

const provider = useFaultyProvider({
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000',
  UPSTREAM_IDLE_TIMEOUT_MS: '10000',
});
const { upstream } = provider;

/** On a busy machine any answer may take so long that the gateway looks whether its caller is there. */
const ANSWERED = /^(?:HTTP\/1\.1 102 Processing\r\n\r\n)*HTTP\/1\.1 200 OK\r\n/;

describe('CF-5 A caller who closes its half of the connection', () => {
  it.each(KINDS)('still gets its answer (%s)', async (kind) => {
    upstream.answers(good);
    expect(await halfClosed(provider, kind)).toMatch(ANSWERED);
  });

  it.each(KINDS)('still gets an answer that takes a while (%s)', async (kind) => {
    upstream.answers(async (response, request) => {
      await delay(600);
      begin(response, request);
      const text = Buffer.from(goodText(request));
      response.write(text.subarray(0, 300));
      await delay(600);
      response.end(text.subarray(300));
    });
    const answer = await halfClosed(provider, kind);
    expect(answer).toMatch(ANSWERED);
    expect(answer).toMatch(kind === 'stream' ? /message_stop/ : /"cost":/);
    await provider.settled();
  });

  it('is noticed to have gone within a second, however long it has waited', async () => {
    upstream.answers(() => undefined);
    const { aborted, received } = upstream;
    const before = { aborted, received: received.length };
    const { hostname: host, port } = new URL(provider.url);
    const socket = connect({ host, port: Number(port), allowHalfOpen: true });
    socket.resume().on('error', () => undefined);
    socket.end(requestBytes(provider, 'messages'));
    await until(() => received.length === before.received + 1);
    await delay(2_600);
    socket.destroy();
    const leftAt = performance.now();
    await until(() => upstream.aborted === before.aborted + 1);
    expect(performance.now() - leftAt).toBeLessThan(1_300);
    await provider.settled();
  });

  it('is noticed to have gone also with several requests on their way', async () => {
    upstream.answers(() => undefined);
    const { aborted, received } = upstream;
    const before = { aborted, received: received.length };
    const socket = connect({ port: Number(new URL(provider.url).port), host: '127.0.0.1' });
    for (const kind of KINDS) socket.write(requestBytes(provider, kind));
    await until(() => received.length === before.received + KINDS.length);
    socket.destroy();
    await until(() => upstream.aborted === before.aborted + KINDS.length, { seconds: 2 });
    await provider.settled();
  });
});

/**
 * Sends a request, closes that half of the connection, and reads the whole answer as it is on the
 * wire; what has not come after ten seconds does not count.
 */
async function halfClosed(gate: Gate, kind: Kind): Promise<string> {
  const { hostname, port } = new URL(gate.url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(requestBytes(gate, kind, { connection: 'close' }));
  const patience = new AbortController();
  void delay(10_000, undefined, { ref: false, signal: patience.signal }).then(
    () => socket.destroy(),
    () => undefined,
  );
  const answer = await text(socket).catch(() => '');
  patience.abort();
  return answer;
}

/** A request as it is on the wire. */
function requestBytes({ url, key }: Gate, kind: Kind, more: object = {}): string {
  const [path, body] = REQUESTS[kind];
  const bytes = JSON.stringify(body);
  const head = {
    host: new URL(url).host,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': bytes.length,
    ...more,
  };
  const fields = Object.entries(head).map((field) => field.join(': '));
  return [`POST ${path} HTTP/1.1`, ...fields, '', bytes].join('\r\n');
}
