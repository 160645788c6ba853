import { describe, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { API_KEY } from './support/gateway.js';
import { useGateway } from './support/use-gateway.js';

const gateway = useGateway({ BODY_LIMIT_BYTES: '100000' });
const echo = JSON.stringify({
  model: 'sandbox/echo',
  messages: [{ role: 'user', content: 'Hello' }],
});

/** Sends a body when it is told to go on. */
function ask(path: string, headers: Record<string, string | number>, body: string) {
  return new Promise<{ status: number; told: boolean; body: string }>((resolve, reject) => {
    let told = false;
    const request = httpRequest(gateway.url + path, {
      agent: false,
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        expect: '100-continue',
        ...headers,
      },
    });
    request.once('continue', () => {
      told = true;
      request.end(body);
    });
    request.once('error', reject).once('response', (response) => {
      void text(response).then((found) => {
        resolve({ status: response.statusCode ?? 0, told, body: found });
        request.destroy();
      }, reject);
    });
    request.flushHeaders();
  });
}

describe('a caller who waits for 100 Continue', () => {
  it.each(['/v3/v1/messages', '/v3/chat/completions'])(
    'is told it, and answered (%s)',
    async (path) => {
      const { status, told, body } = await ask(path, {}, echo);
      expect([status, told]).toEqual([200, true]);
      expect(body).toContain('Hello');
    },
  );

  it('is told it for a file, too', async () => {
    const body =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n' +
      'content-type: text/plain\r\n\r\nHello\r\n--x--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const { status, told } = await ask('/v3/upload', headers, body);
    expect([status, told]).toEqual([200, true]);
  });

  it.each([
    ['has no good key', 401, { authorization: 'Bearer nobody' }],
    ['announces too much', 413, { 'content-length': 100_001 }],
  ])('is refused before it has sent its body when it %s', async (_what, wanted, headers) => {
    const { status, told } = await ask('/v3/v1/messages', headers, echo);
    expect([status, told]).toEqual([wanted, false]);
  });

  it('has its refusal also where it sends the body all the same', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const body = 'x'.repeat(90_000);
    socket.write(
      'POST /v3/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\n' +
        'Content-Type: application/json\r\nExpect: 100-continue\r\n' +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });
});
