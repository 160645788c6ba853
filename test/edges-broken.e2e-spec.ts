import { afterEach, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { API_KEY } from './support/gateway.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const GOOD = 'GET /v3/models HTTP/1.1\r\nHost: x\r\n\r\n';
const ASKED = '/v3/embeddings HTTP/1.1\r\nHost: x';
const POST = `POST ${ASKED}\r\nAuthorization: Bearer ${API_KEY}\r\nContent-Type: application/json`;
const LONG = `GET ${ASKED}\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`;
const CHUNK = `${POST}\r\nx-request-id: mine\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`;

describe('what is no HTTP', () => {
  const gateway = useGateway();
  const opened: Socket[] = [];
  afterEach(() => {
    for (const socket of opened.splice(0)) socket.destroy();
  });

  /** A connection, what has come over it, and whether it has been closed. */
  const open = () => {
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
    opened.push(socket);
    const seen = { text: '', isClosed: false, error: undefined as Error | undefined };
    socket.setEncoding('latin1').on('data', (piece) => (seen.text += String(piece)));
    socket.on('error', (error) => (seen.error = error));
    socket.on('close', () => (seen.isClosed = true));
    return { socket, seen };
  };
  const closed = async (seen: { isClosed: boolean }) => {
    await until(() => seen.isClosed);
  };

  describe.each(['new', 'used'] as const)('on a %s connection', (which) => {
    it.each([
      ['a line that is no request', 'nonsense\r\n\r\n', 400],
      ['headers that are too long', LONG, 431],
      ['a body in a broken chunk', CHUNK, 400],
    ])('is answered, with an id: %s', async (_what, bytes, status) => {
      const { socket, seen } = open();
      if (which === 'used') {
        socket.write(GOOD);
        await until(() => seen.text.endsWith('}'));
        expect(seen.text).toMatch(/^HTTP\/1\.1 200 /);
        seen.text = '';
      }
      socket.write(bytes);
      await closed(seen);
      expect(seen.error).toBeUndefined();
      const [head = '', body = ''] = seen.text.split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*connection: close`));
      expect(JSON.parse(body)).toMatchObject({ error: { type: 'invalid_request_error' } });
      const [, id] = /^x-request-id: (\S+)$/m.exec(head.replaceAll('\r', '')) ?? [];
      expect(id).toMatch(bytes === CHUNK ? /^mine$/ : /^req_[\w-]{24,}$/);
      expect(head).toContain(`\r\nrequest-id: ${id}`);
    });
  });

  const BODY = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\nContent-Type: application/json`;
  const SHORT = `${BODY}\r\nContent-Length: 90\r\n\r\n{"model":`;
  const CHUNKED = `${BODY}\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n`;
  it.each([
    ['/v3/v1/messages', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['/v3/v1/messages/count_tokens?beta=true', { type: 'error', request_id: expect.any(String) }],
    ['/v3/upload', { detail: 'Bad Request' }],
    ['/v3/chat/completions', { error: { type: 'invalid_request_error', param: null } }],
  ])('is answered in the form of the path where it is the body: %s', async (path, expected) => {
    for (const rest of [SHORT, CHUNKED]) {
      const { socket, seen } = open();
      if (rest === SHORT) socket.end(`POST ${path} ${rest}`);
      else socket.write(`POST ${path} ${rest}`);
      await closed(seen);
      const [head = '', body = ''] = seen.text.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 /);
      expect(JSON.parse(body)).toMatchObject(expected);
      const [, id] = /^x-request-id: (\S+)$/m.exec(head.replaceAll('\r', '')) ?? [];
      if (path.startsWith('/v3/v1/')) expect(JSON.parse(body)).toMatchObject({ request_id: id });
    }
  });

  it('waits for the answers to what came before it', async () => {
    gateway.upstream.answers(async (response) => {
      await delay(300);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"data":[{"index":0,"embedding":[0.5]}],"usage":{"prompt_tokens":1}}');
    });
    const { socket, seen } = open();
    const body = '{"model":"openai/text-embedding-3-small","input":"x"}';
    socket.write(`${POST}\r\nContent-Length: ${body.length}\r\n\r\n${body}nonsense\r\n\r\n`);
    await delay(100);
    socket.write('more nonsense\r\n\r\n');
    await closed(seen);
    expect(seen.text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(seen.text).toContain('"cost":');
  });
});
