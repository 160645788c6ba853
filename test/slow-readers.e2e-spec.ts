import { expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { useGateway } from './support/use-gateway.js';

const START =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":10,"output_tokens":1}}}\n\n';
const PIECE = Buffer.from('event: ping\ndata: {"type":"ping"}\n\n'.repeat(2_000));
/** What the buffers of two sockets and of the gateway may take. */
const MOST_BUFFERED = 32 * 1024 * 1024;

const gateway = useGateway({ STREAM_STALL_MS: '1500' });

it('a reader that takes nothing pauses the provider, and is cut in time', async () => {
  let written = 0;
  gateway.upstream.answers((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(START);
    const more = (): void => {
      while (!response.destroyed) {
        written += PIECE.length;
        if (!response.write(PIECE)) {
          response.once('drain', more);
          return;
        }
      }
    };
    more();
  });
  const body = JSON.stringify({ model: 'anthropic/claude-sonnet-4-5', messages: [], stream: true });
  const { hostname, port } = new URL(gateway.url);
  const reader = connect(Number(port), hostname);
  reader.on('error', () => undefined);
  reader.pause();
  reader.write(
    `POST /v3/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await delay(1_000);
  expect(written).toBeGreaterThan(0);
  expect(gateway.upstream.aborted).toBe(0);
  for (let waited = 0; waited < 50 && gateway.upstream.aborted === 0; waited++) await delay(100);
  expect([gateway.upstream.aborted, written <= MOST_BUFFERED]).toEqual([1, true]);
  let row: { outcome?: string } | undefined;
  for (let waited = 0; waited < 30 && !row; waited++) {
    await delay(100);
    const listed = await fetch(`${gateway.url}/v3/admin/requests`, {
      headers: { authorization: `Bearer ${ADMIN_KEY}` },
    });
    row = ((await listed.json()) as any).data[0];
  }
  expect(row).toMatchObject({ outcome: 'client_closed' });
  reader.destroy();
}, 20_000);
