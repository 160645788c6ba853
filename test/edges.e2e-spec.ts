import { describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import supertest from 'supertest';
import { API_KEY } from './support/gateway.js';
import { useGateway } from './support/use-gateway.js';

describe('the edges', () => {
  const gateway = useGateway();

  /** Sends these bytes and gives everything that comes back until the connection closes. */
  const raw = (bytes: string, wait = 3_000) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect({ host: hostname, port: Number(port) });
      const chunks: Buffer[] = [];
      const done = () => {
        socket.destroy();
        resolve(Buffer.concat(chunks).toString());
      };
      const timer = setTimeout(done, wait);
      socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
      socket.on('error', reject);
      socket.on('close', () => {
        clearTimeout(timer);
        done();
      });
      socket.write(bytes);
    });
  const head = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
  const post = (path: string, ...headers: string[]) =>
    head([
      `POST ${path} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${API_KEY}`,
      'Content-Type: application/json',
      ...headers,
    ]);

  it('refuses a declared length over the limit at once and closes', async () => {
    const text = await raw(post('/v3/embeddings', 'Content-Length: 10000000000'));
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toContain('"code":"request_too_large"');
  });

  it('stops an endless body', async () => {
    const { hostname, port } = new URL(gateway.url);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.write(post('/v3/v1/messages', 'Transfer-Encoding: chunked'));
    const chunk = `100000\r\n${'a'.repeat(0x100000)}\r\n`;
    let sent = 0;
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    await new Promise<void>((resolve) => {
      socket.once('close', () => {
        resolve();
      });
      const more = () => {
        if (socket.destroyed || sent++ > 200) return;
        if (socket.write(chunk)) setImmediate(more);
        else socket.once('drain', more);
      };
      more();
    });
    expect(sent).toBeLessThan(200);
    if (text) expect(text).toMatch(/^HTTP\/1\.1 413 /);
  });

  it('refuses a gzip bomb quickly', async () => {
    const bomb = gzipSync(Buffer.alloc(128 * 1024 * 1024, 0x20));
    const reply = await supertest(gateway.url)
      .post('/v3/embeddings')
      .set({
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      })
      .send(bomb as never)
      .serialize((body: unknown) => body as never);
    expect(reply.status).toBe(413);
  });

  it.each(['gzip', 'x-gzip', 'GZIP'])('reads a body of the encoding %s', async (encoding) => {
    const body = gzipSync(JSON.stringify({ model: 'nobody/nothing', input: 'hi' }));
    const reply = await fetch(`${gateway.url}/v3/embeddings`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${API_KEY}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body,
    });
    expect(await reply.json()).toMatchObject({ error: { code: 'model_not_found' } });
  });

  it('decides on the key before it reads the body', async () => {
    const text = await raw(
      head([
        'POST /v3/embeddings HTTP/1.1',
        'Host: x',
        'Content-Type: application/json',
        'Content-Length: 1000',
        'Connection: close',
      ]),
    );
    expect(text).toMatch(/^HTTP\/1\.1 401 /);
    expect(text.toLowerCase()).toContain('www-authenticate: bearer');
  });

  it('answers what is no HTTP, and too many headers, in JSON', async () => {
    expect(await raw('nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*"error":\{"message"/);
    const long = head(['GET /v3/models HTTP/1.1', 'Host: x', `X-Long: ${'a'.repeat(20_000)}`]);
    expect(await raw(long)).toMatch(/^HTTP\/1\.1 431 [^]*"error":\{"message"/);
  });

  it.each([
    ['no host', head(['GET /v3/models HTTP/1.1']), 400],
    ['a proxy', head(['CONNECT a.example:443 HTTP/1.1', 'Host: x']), 501],
    [
      'a coding of the transfer that it passes over',
      `${post('/v3/v1/messages', 'Transfer-Encoding: gzip, chunked')}2\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
  ])('refuses a request for %s in JSON, by an id, and closes', async (_, bytes, status) => {
    const text = await raw(bytes);
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*"error":\\{`));
    expect(text).toMatch(/\r\nx-request-id: req_/i);
    expect(text).toMatch(/\r\nconnection: close/i);
  });

  it('passes over an expectation that it does not know', async () => {
    const text = await raw(post('/v3/embeddings', 'Expect: more', 'Content-Length: 2') + '{}', 500);
    expect(text).toMatch(/^HTTP\/1\.1 400 [^]*"code":"missing_required_parameter"/);
  });

  it('refuses two Host headers, and TRACE', async () => {
    expect(
      await raw(head(['GET /v3/models HTTP/1.1', 'Host: a', 'Host: b', 'Connection: close'])),
    ).toMatch(/^HTTP\/1\.1 400 [^]*The request has two Host headers\./);
    const trace = await raw(head(['TRACE /v3/models HTTP/1.1', 'Host: a', 'Connection: close']));
    expect(trace).toMatch(/^HTTP\/1\.1 405 /);
    expect(trace.toLowerCase()).toContain('allow: get, head');
  });

  it('lets no page of another origin call it', async () => {
    const preflight = head([
      'OPTIONS /v3/v1/messages HTTP/1.1',
      'Host: a',
      'Connection: close',
      'Origin: https://page.test',
      'Access-Control-Request-Method: POST',
      'Access-Control-Request-Headers: authorization, content-type',
    ]);
    for (const text of [await raw(preflight), await raw(preflight.replace('OPTIONS', 'POST'))]) {
      expect(text).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(text).not.toMatch(/access-control-/i);
    }
  });

  it.each([
    ['my-own_id', true],
    ['with space', false],
    ['a'.repeat(129), false],
  ])('takes the request id %j: %s', async (id, taken) => {
    const { headers } = await gateway.get('/v3/models').set('x-request-id', id);
    expect(headers['request-id']).toBe(headers['x-request-id']);
    if (taken) expect(headers['x-request-id']).toBe(id);
    else expect(headers['x-request-id']).toMatch(/^req_[\w-]{24,}$/);
  });

  it('says nothing of what it is made of', async () => {
    const { headers } = await gateway.get('/v3/models');
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers.server).toBeUndefined();
  });

  it('never shows a fault of its own', async () => {
    const { body, text, status } = await gateway.get('/v3/models/%E0%A4%A');
    expect(status).toBe(400);
    expect(body.error.type).toBe('invalid_request_error');
    expect(text).not.toMatch(/at .*\.js|node_modules/);
  });

  it('answers HEAD without a body', async () => {
    const reply = await supertest(gateway.url).head('/v3/models').expect(200);
    expect(reply.text ?? '').toBe('');
  });

  it('answers after an aborted upload as before', async () => {
    const { hostname, port } = new URL(gateway.url);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = connect({ host: hostname, port: Number(port) });
        socket.on('error', () => undefined);
        socket.write(`${post('/v3/v1/messages', 'Content-Length: 1000')}{"model"`);
        await new Promise((later) => setTimeout(later, 20));
        socket.destroy();
      }),
    );
    await gateway.get('/v3/models').expect(200);
  });
});
