import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { begin, good, goodText, type Kind, KINDS, REQUESTS } from './support/fault-answers.js';
import { type Gate } from './support/fault-callers.js';
import { useFaultyProvider } from './support/fault-gateway.js';

const provider = useFaultyProvider({
  UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '10000',
  UPSTREAM_IDLE_TIMEOUT_MS: '10000',
});
const { upstream } = provider;

describe('CF-5 A caller who closes its half of the connection', () => {
  it.each(KINDS)('still gets its answer (%s)', async (kind) => {
    upstream.answers(good);
    expect(await halfClosed(provider, kind)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
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
    expect(answer).toMatch(/HTTP\/1\.1 200 OK\r\n/);
    expect(answer).toMatch(kind === 'stream' ? /message_stop/ : /"cost":/);
    await provider.settled();
  });
});

/**
 * Sends a request, closes that half of the connection, and reads the whole answer as it is on the
 * wire; what has not come after three seconds does not count.
 */
async function halfClosed({ url, key }: Gate, kind: Kind): Promise<string> {
  const [path, body] = REQUESTS[kind];
  const { hostname, port, host } = new URL(url);
  const bytes = JSON.stringify(body);
  const head = {
    host,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'content-length': bytes.length,
    connection: 'close',
  };
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.end(
    [
      `POST ${path} HTTP/1.1`,
      ...Object.entries(head).map((field) => field.join(': ')),
      '',
      bytes,
    ].join('\r\n'),
  );
  const patience = new AbortController();
  void delay(3_000, undefined, { ref: false, signal: patience.signal }).then(
    () => socket.destroy(),
    () => undefined,
  );
  const answer = await text(socket).catch(() => '');
  patience.abort();
  return answer;
}
