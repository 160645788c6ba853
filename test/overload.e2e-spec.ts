import { afterEach, describe, expect, it } from '@jest/globals';
import { type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { fundedAccount } from './support/credit.js';
import { MESSAGE } from './support/fault-answers.js';
import { ADMIN_KEY, API_KEY } from './support/gateway.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const MB = 1024 * 1024;
const MODEL = 'anthropic/claude-haiku-4-5';
const ROUTES = {
  anthropic: '/v3/v1/messages',
  openai: '/v3/chat/completions',
  fastapi: '/v3/upload',
};

/** A body of about this many bytes. */
const bodyOf = (bytes: number) =>
  JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'x'.repeat(bytes) }] });

// A budget of 12 MB: a body of 1 MB takes 4 MB of it, and 1.5 MB are for small ones. One account has 8.25 MB of the
// rest, and 9.75 MB with its small ones.
const gateway = useGateway({
  BODY_LIMIT_BYTES: String(2 * MB),
  MAX_BUFFERED_BYTES: String(12 * MB),
});
const open: ClientRequest[] = [];

/** Sends the head of a request, and of its body as much as is given. */
function begin(
  path: string,
  { length, key = API_KEY, body = '' }: { length?: number; key?: string; body?: string | Buffer },
) {
  const request = httpRequest(`${gateway.url}${path}`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(length !== undefined && { 'content-length': length }),
    },
  });
  open.push(request);
  const answered = new Promise<{ response: IncomingMessage; text: string }>((resolve, reject) => {
    request.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      response.once('end', () => {
        resolve({ response, text });
      });
    });
  });
  answered.catch(() => undefined);
  request.flushHeaders();
  if (body.length > 0) request.write(body);
  return { request, answered };
}

const buffered = () => metric(gateway, 'causeway_buffered_bytes');
const taken = (megabytes: number) => until(async () => (await buffered()) > megabytes * MB);

afterEach(async () => {
  for (const request of open.splice(0)) request.destroy();
  await until(async () => (await buffered()) === 0);
});

describe('OV-3 memory for bodies in flight', () => {
  it.each(Object.entries(ROUTES))(
    'refuses what does not fit at once, in the words of %s, before the body is read',
    async (family, path) => {
      for (let large = 0; large < 2; large++) begin(ROUTES.anthropic, { length: MB });
      await taken(8);
      const startedAt = performance.now();
      const { response, text } = await begin(path, { length: MB }).answered;
      expect(performance.now() - startedAt).toBeLessThan(500);
      expect(response.statusCode).toBe(503);
      expect(response.headers).toMatchObject({ 'retry-after': '1', connection: 'close' });
      const { error } = JSON.parse(text);
      if (family === 'anthropic') expect(error.type).toBe('overloaded_error');
      else expect(error).toMatchObject({ type: 'server_error', code: 'provider_unavailable' });
    },
  );

  it('lets small requests pass while large ones fill it', async () => {
    gateway.upstream.replies(200, MESSAGE);
    for (let large = 0; large < 2; large++) begin(ROUTES.anthropic, { length: MB });
    await taken(8);
    // There would be room for this one, but it is kept for small ones.
    const { response } = await begin(ROUTES.anthropic, { length: 300_000 }).answered;
    expect(response.statusCode).toBe(503);
    await gateway.post(ROUTES.anthropic, bodyOf(100_000)).expect(200);
  });

  it('lets another account begin, and the management, however many small requests of one fill it', async () => {
    gateway.upstream.replies(200, MESSAGE);
    const other = await fundedAccount({ app: gateway.app }, 1_000_000_000_000n);
    const own = Array.from({ length: 46 }, () => begin(ROUTES.anthropic, { length: 60_000 }));
    const { response } = await Promise.race(own.map(({ answered }) => answered));
    expect(response.statusCode).toBe(503);
    await taken(9);
    const statusOf = async (path: string, key: string, body: string) => {
      const { answered } = begin(path, { key, length: body.length, body });
      return (await answered).response.statusCode;
    };
    // The administrator's own account is the one that has filled it.
    const managed = statusOf('/v3/admin/accounts', ADMIN_KEY, JSON.stringify({ name: 'new' }));
    expect(await managed).toBe(200);
    expect(await statusOf(ROUTES.anthropic, other.key, bodyOf(10_000))).toBe(200);
  });

  it('gives it back when the request is over, and when its caller leaves', async () => {
    gateway.upstream.replies(200, MESSAGE);
    for (let round = 0; round < 4; round++) {
      await gateway.post(ROUTES.anthropic, bodyOf(MB)).expect(200);
      const { request } = begin(ROUTES.anthropic, { length: MB, body: 'x' });
      await taken(4);
      request.destroy();
      await until(async () => (await buffered()) === 0);
    }
  });

  it('counts a body of unknown length as it comes', async () => {
    begin(ROUTES.anthropic, { length: MB });
    await taken(4);
    const { answered } = begin(ROUTES.anthropic, { body: bodyOf(1.5 * MB) });
    const { response } = await answered;
    expect([response.statusCode, response.headers.connection]).toEqual([503, 'close']);
  });

  it('counts a compressed body as it is unpacked', async () => {
    gateway.upstream.replies(200, MESSAGE);
    const compressed = gzipSync(bodyOf(1.5 * MB));
    const send = () =>
      fetch(gateway.url + ROUTES.anthropic, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${API_KEY}`,
          'content-encoding': 'gzip',
          'content-type': 'application/json',
        },
        body: compressed,
      });
    expect((await send()).status).toBe(200);
    begin(ROUTES.anthropic, { length: MB });
    await taken(4);
    expect((await send()).status).toBe(503);
  });

  const objects = '{},'.repeat(80_000);
  const message = bodyOf(10);
  const calling = (text: string) => ({
    model: MODEL,
    messages: [
      { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: text } }] },
      { role: 'tool', tool_call_id: 'c', content: 'Done' },
    ],
  });

  it.each([
    ['a short body', ROUTES.anthropic, message.replace(/}$/, `,"extra":[${objects}0]}`)],
    [
      'a body that is parsed in pieces',
      ROUTES.anthropic,
      message.replace(/}$/, `,"extra":[${objects}"${'x'.repeat(MB)}"]}`),
    ],
    ['JSON in a call', ROUTES.openai, JSON.stringify(calling(`{"a":[${objects}0]}`))],
  ])('counts what the objects of %s take, which is more than their text', async (_, path, body) => {
    // It never answers.
    gateway.upstream.answers(() => undefined);
    const send = () => begin(path, { length: body.length, body });
    send();
    await taken((80_000 * 64 + body.length) / MB - 0.1);
    expect((await send().answered).response.statusCode).toBe(503);
  });

  it('takes no more texts that become blocks than a body may hold', async () => {
    const messages = [{ role: 'user', content: Array<string>(90_000).fill('a') }];
    const body = JSON.stringify({ model: MODEL, messages });
    const { response, text } = await begin(ROUTES.openai, { length: body.length, body }).answered;
    expect([response.statusCode, text]).toEqual([400, expect.stringContaining('texts of lists')]);
  });

  it('takes no more JSON in the calls of a body together than a body may hold', async () => {
    gateway.upstream.replies(200, MESSAGE);
    gateway.upstream.received.length = 0;
    const one = calling(`{"a":[${objects}0]}`);
    const body = JSON.stringify({ ...one, messages: Array(4).fill(one.messages).flat() });
    const { response, text } = await begin(ROUTES.openai, { length: body.length, body }).answered;
    expect([response.statusCode, text]).toEqual([
      400,
      expect.stringContaining('More than 250000 objects, arrays, members and texts of lists'),
    ]);
    expect(gateway.upstream.received).toEqual([]);
  });

  it('counts the answer while it waits to be sent, and never refuses it', async () => {
    const long = { ...MESSAGE, content: [{ type: 'text', text: 'y'.repeat(6 * MB) }] };
    let seen = 0;
    gateway.upstream.answers((response) => {
      const text = JSON.stringify(long);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(text.slice(0, 5 * MB));
      void until(async () => (seen = await buffered()) > 10 * MB).finally(() => {
        response.end(text.slice(5 * MB));
      });
    });
    const { body } = await gateway.post(ROUTES.anthropic, bodyOf(100)).expect(200);
    expect(body.content[0].text.length).toBe(6 * MB);
    expect(seen).toBeGreaterThan(10 * MB);
  });

  it('asks for a key first', async () => {
    for (let large = 0; large < 2; large++) begin(ROUTES.anthropic, { length: MB });
    await taken(8);
    const { response } = await begin(ROUTES.anthropic, { length: MB, key: 'nobody' }).answered;
    expect(response.statusCode).toBe(401);
  });

  it('keeps an equal part of it for an account that was refused', async () => {
    const other = await fundedAccount({ app: gateway.app }, 1_000_000_000_000n);
    const own = [begin(ROUTES.anthropic, { length: MB }), begin(ROUTES.anthropic, { length: MB })];
    await taken(8);
    const first = await begin(ROUTES.anthropic, { length: MB, key: other.key }).answered;
    expect(first.response.statusCode).toBe(503);
    own[0]?.request.destroy();
    await until(async () => (await buffered()) < 5 * MB);
    // There is room again, but it is the other's.
    const surplus = await begin(ROUTES.anthropic, { length: MB }).answered;
    expect(surplus.response.statusCode).toBe(503);
    begin(ROUTES.anthropic, { length: MB, key: other.key });
    await taken(8);
  });
});

describe('OV-5 bodies that are dear to parse', () => {
  it.each([
    ['objects', `[${'{},'.repeat(260_000)}{}]`],
    ['arrays', `[${'[],'.repeat(260_000)}[]]`],
    ['members', `[${'{"":1},'.repeat(130_000)}{}]`],
    ['members of one object', `[{${'"":1,'.repeat(20_000)}"":1}]`],
  ])('refuses too many %s before they are parsed', async (_, messages) => {
    const body = `{"model":"${MODEL}","messages":${messages}}`;
    const { body: said } = await gateway.post(ROUTES.openai, body).expect(400);
    expect(said.error.code).toBe('invalid_json');
    await gateway.post(ROUTES.anthropic, body).expect(422);
  });
});
