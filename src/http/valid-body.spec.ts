import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Global,
  HttpCode,
  type INestApplication,
  Module,
  Post,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ChatCompletionsBody } from '../chat/dto/chat-completions-body.dto.js';
import { CONFIG } from '../config/config.js';
import { type CheckedBody } from '../contract/checked-body.js';
import { GatewayError } from '../contract/gateway-error.js';
import { CreateEmbeddingsBody } from '../embeddings/dto/create-embeddings-body.dto.js';
import { CreateImageBody } from '../images/dto/create-image-body.dto.js';
import { CreateImageEditBody } from '../images/dto/create-image-edit-body.dto.js';
import { spliceObject } from '../json/splice.js';
import { AnthropicMessagesBody } from '../messages/dto/anthropic-messages-body.dto.js';
import { type GatewayRequest } from './gateway-request.js';
import { HttpModule } from './http.module.js';
import { ValidBody } from './valid-body.js';

const LIMIT = 1024 * 1024;
const JSON_TYPE = 'application/json';
const MESSAGES = '/v3/v1/messages';
const EMBEDDINGS = '/v3/embeddings';

/** How much of the last guarded request had been read when its guard refused it. */
let readByGuard: boolean | undefined;

class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<GatewayRequest>();
    readByGuard = request.readableDidRead;
    throw new GatewayError(401, 'invalid_api_key', 'Invalid bearer token', { close: true });
  }
}

/** Answers with what a relay would send on. */
@Controller('v3')
class EchoController {
  @Post('v1/messages')
  @HttpCode(200)
  messages(@ValidBody(AnthropicMessagesBody) body: CheckedBody<AnthropicMessagesBody>) {
    return sentOn(body);
  }

  @Post('embeddings')
  @HttpCode(200)
  embeddings(@ValidBody(CreateEmbeddingsBody) body: CheckedBody<CreateEmbeddingsBody>) {
    return sentOn(body);
  }

  @Post('images/generations')
  images(@ValidBody(CreateImageBody) body: CheckedBody<CreateImageBody>) {
    return sentOn(body);
  }

  @Post('images/edits')
  edits(@ValidBody(CreateImageEditBody) body: CheckedBody<CreateImageEditBody>) {
    return sentOn(body);
  }

  @Post('chat/completions')
  chat(@ValidBody(ChatCompletionsBody) body: CheckedBody<ChatCompletionsBody>) {
    return sentOn(body);
  }

  @Post('guarded')
  @UseGuards(KeyGuard)
  guarded(@ValidBody(CreateEmbeddingsBody) body: CheckedBody<CreateEmbeddingsBody>) {
    return sentOn(body);
  }
}

function sentOn({ bytes, edits }: CheckedBody<object>): { sent: string } {
  return { sent: Buffer.concat(spliceObject(bytes, edits) ?? []).toString() };
}

@Global()
@Module({
  providers: [{ provide: CONFIG, useValue: { bodyLimitBytes: LIMIT, embeddingsMaxInputs: 10 } }],
  exports: [CONFIG],
})
class TestConfigModule {}

@Module({ imports: [TestConfigModule, HttpModule], controllers: [EchoController] })
class EchoModule {}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: any;
}

let app: INestApplication;
let port: number;

beforeAll(async () => {
  const module = await Test.createTestingModule({ imports: [EchoModule] }).compile();
  app = module.createNestApplication({ bodyParser: false });
  await app.listen(0, '127.0.0.1');
  ({ port } = app.getHttpServer().address() as AddressInfo);
});

afterAll(() => app.close());

/** One request; an array is sent chunk by chunk, without a length. */
function post(
  path: string,
  body: string | Buffer | readonly Buffer[],
  headers: Record<string, string> = { 'content-type': JSON_TYPE },
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, path, method: 'POST', headers, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const { statusCode: status = 0 } = reply;
        const text = Buffer.concat(chunks).toString();
        resolve({ status, headers: reply.headers, body: text ? JSON.parse(text) : undefined });
      });
    });
    request.on('error', reject);
    if (!Array.isArray(body)) {
      request.end(body);
      return;
    }
    for (const chunk of body) request.write(chunk);
    request.end();
  });
}

const messages = JSON.stringify({ model: 'a/b', messages: [{ role: 'user', content: 'é😀' }] });
const embeddings = JSON.stringify({ model: 'a/b', input: 'x' });
const entry = (type: string, loc: unknown[], rest: object = {}) => ({
  status: 422,
  body: { detail: [{ type, loc, msg: expect.any(String), ...rest }] },
});

describe('what a relay would send on', () => {
  it("is the caller's bytes with the edits in them", async () => {
    const body =
      '{"model":"a/b", "messages":[{"role":"user","content":"hi"}],"big":12345678901234567890,"max_tokens":"1_0","stream":null,"fallbacks":["a/c"],"__proto__":{"a":1.0},"temperature":1e0}';
    expect((await post(MESSAGES, body)).body.sent).toBe(
      '{"model":"a/b", "messages":[{"role":"user","content":"hi"}],"big":12345678901234567890,"max_tokens":10,"__proto__":{"a":1.0},"temperature":1e0}',
    );
  });

  it('keeps the last of two members with one key, which is the one that was checked', async () => {
    const body = '{"model":5,"input":"x","model":"a/b"}';
    expect((await post(EMBEDDINGS, body)).body.sent).toBe('{"input":"x","model":"a/b"}');
  });

  it('has no byte order mark', async () => {
    expect((await post(EMBEDDINGS, `\ufeff${embeddings}`)).body.sent).toBe(embeddings);
  });
});

describe('extra_headers', () => {
  it('are the business of the schema first, then of the rules for headers', async () => {
    const body = (headers: object) =>
      JSON.stringify({ ...JSON.parse(messages), extra_headers: headers });
    expect(await post(MESSAGES, body({ a: 1 }))).toMatchObject(
      entry('string_type', ['body', 'extra_headers', 'a']),
    );
    expect(await post(MESSAGES, body({ Cookie: 'x' }))).toMatchObject({
      status: 400,
      body: { type: 'error', error: { type: 'invalid_request_error' } },
    });
    const refused = JSON.stringify({ model: 'a/b', input: 'x', extra_headers: { host: 'x' } });
    expect(await post(EMBEDDINGS, refused)).toMatchObject({
      status: 400,
      body: { error: { param: 'extra_headers', code: 'invalid_value' } },
    });
    expect((await post(MESSAGES, body({ 'x-title': 'mine' }))).status).toBe(200);
  });
});

describe('bytes that are not the JSON of an object', () => {
  it.each([
    ['', 'missing', ['body']],
    ['null', 'missing', ['body']],
    [' null\n', 'missing', ['body']],
    ['[]', 'model_attributes_type', ['body']],
    ['0', 'model_attributes_type', ['body']],
    ['""', 'model_attributes_type', ['body']],
    [' ', 'json_invalid', ['body', 1]],
    ['\ufeff', 'json_invalid', ['body', 0]],
    ['\ufeff{"é😀":}', 'json_invalid', ['body', 6]],
    [Buffer.from([0x22, 0xff, 0x22]), 'json_invalid', ['body', 0]],
    [Buffer.from(messages, 'utf16le'), 'json_invalid', ['body', expect.any(Number)]],
    ['['.repeat(65) + ']'.repeat(65), 'json_invalid', ['body', 0]],
    ['['.repeat(900_000), 'json_invalid', ['body', 0]],
  ])('give a 422 on the Messages API: %#', async (body, type, loc) => {
    expect(await post(MESSAGES, body)).toMatchObject(entry(type, loc));
  });

  it.each([
    ['', 'invalid_json'],
    ['{"a":}', 'invalid_json'],
    [Buffer.from([0x22, 0xff, 0x22]), 'invalid_json'],
    ['['.repeat(65) + ']'.repeat(65), 'invalid_json'],
    ['null', 'invalid_type'],
    ['[]', 'invalid_type'],
  ])('give a 400 elsewhere: %#', async (body, code) => {
    expect(await post(EMBEDDINGS, body)).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', param: null, code } },
    });
  });

  it('may nest 64 deep', async () => {
    const deep = `${'['.repeat(63)}${']'.repeat(63)}`;
    const body = `{"model":"a/b","input":"x","zz":${deep}}`;
    expect(await post(EMBEDDINGS, body)).toMatchObject({ status: 200, body: { sent: body } });
  });
});

describe('content types', () => {
  it.each([
    JSON_TYPE,
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"; a=b',
    'application/json;;;',
    'application/vnd.api+json',
    'application/+json',
  ])('%s is JSON', async (type) => {
    expect((await post(MESSAGES, messages, { 'content-type': type })).status).toBe(200);
    expect((await post(EMBEDDINGS, embeddings, { 'content-type': type })).status).toBe(200);
  });

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/json, text/plain' },
    { 'content-type': 'application/jsonx' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': `${'a'.repeat(500)}/json` },
  ])('%j is not', async (headers) => {
    expect(await post(MESSAGES, messages, headers)).toMatchObject(
      entry('model_attributes_type', ['body']),
    );
    expect(await post(MESSAGES, '', headers)).toMatchObject(entry('missing', ['body']));
    const { status, body } = await post(EMBEDDINGS, embeddings, headers);
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type']);
    expect(body.error.message).toContain('Content-Type: application/json');
  });

  it.each(['utf-7', 'utf-16', 'iso-8859-1', 'nosuch'])(
    '%s is no charset of JSON',
    async (charset) => {
      const headers = { 'content-type': `application/json; charset=${charset}` };
      expect((await post(MESSAGES, messages, headers)).status).toBe(415);
      expect((await post(EMBEDDINGS, embeddings, headers)).status).toBe(415);
    },
  );
});

describe('content encodings', () => {
  const encoded = (encoding: string) => ({
    'content-type': JSON_TYPE,
    'content-encoding': encoding,
  });

  it.each([
    ['identity', Buffer.from(embeddings)],
    ['gzip', gzipSync(embeddings)],
    ['GZIP', gzipSync(embeddings)],
    ['deflate', deflateSync(embeddings)],
    ['br', brotliCompressSync(embeddings)],
  ])('%s is read', async (encoding, body) => {
    expect((await post(EMBEDDINGS, body, encoded(encoding))).body.sent).toBe(embeddings);
  });

  it.each([
    ['gzip', Buffer.from('not gzip'), 400],
    ['gzip', gzipSync(embeddings).subarray(0, 20), 400],
    ['deflate', Buffer.from([0x78]), 400],
    ['br', Buffer.from([0xff, 0xff]), 400],
    ['compress', Buffer.from(embeddings), 415],
    ['gzip, gzip', gzipSync(gzipSync(embeddings)), 415],
    ['constructor', Buffer.from(embeddings), 415],
  ])('%s is refused: %#', async (encoding, body, status) => {
    expect((await post(EMBEDDINGS, body, encoded(encoding))).status).toBe(status);
    expect((await post(MESSAGES, body, encoded(encoding))).status).toBe(status);
  });

  it('cannot carry a bomb', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * LIMIT, 0x61), { level: 9 });
    expect(bomb.length).toBeLessThan(LIMIT);
    const reply = await post(EMBEDDINGS, bomb, encoded('gzip'));
    expect([reply.status, reply.body.error.code]).toEqual([413, 'request_too_large']);
  });
});

describe('the size limit', () => {
  const padded = (size: number) =>
    embeddings.slice(0, -1) + ' '.repeat(size - embeddings.length) + '}';

  it('lets through a body of exactly that size', async () => {
    expect((await post(EMBEDDINGS, padded(LIMIT))).status).toBe(200);
    expect((await post(EMBEDDINGS, [Buffer.from(padded(LIMIT))])).status).toBe(200);
  });

  it('refuses a longer one by its declared length, before its bytes arrive', async () => {
    const text = await raw(
      `POST ${EMBEDDINGS} HTTP/1.1\r\nhost: x\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: 10737418240\r\n\r\n{`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('connection: close');
    expect(text).toContain('request_too_large');
  });

  it('stops counting a body of unknown length as soon as it is over', async () => {
    const chunk = `10000\r\n${'a'.repeat(0x10000)}\r\n`;
    const text = await raw(
      `POST ${MESSAGES} HTTP/1.1\r\nhost: x\r\ncontent-type: ${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(17)}`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 413 /);
    expect(text.toLowerCase()).toContain('connection: close');
  });
});

describe('a large body, which is parsed in time slices', () => {
  const large = (body: string) => body + ' '.repeat(LIMIT - Buffer.byteLength(body));
  const text = 'é"😀\n'.repeat(30_000);

  it.each([
    messages,
    JSON.stringify({ model: 'a/b', messages: [{ role: 'user', content: text }], temperature: '1' }),
    `{"model":"a/b","messages":[],"messages":[{"role":"user","content":"x"}],"__proto__":{"a":1}}`,
    `{"model":"a/b","messages":[{"role":"user","content":${'9'.repeat(400)}}]}`,
    '{"model":"a/b","messages":[{"role":"user","content":"x"},]}',
    `{"model":"a/b","messages":[{"role":"user","content":"${'x'.repeat(200_000)}\\q"}]}`,
    `{"model":"a/b","messages":[{"role":"user","content":"${'x'.repeat(200_000)}\n"}]}`,
    `[${JSON.stringify(text)} 1]`,
    `{"a":${JSON.stringify(text)}}}`,
    '['.repeat(65) + ']'.repeat(65),
    `{"a"${':'.repeat(500_001)}}`,
    'null',
    '[]',
    '"',
  ])('is answered as a small one: %#', async (body) => {
    const [small, whole] = [await post(MESSAGES, body), await post(MESSAGES, large(body))];
    expect([whole.status, whole.body]).toEqual([small.status, small.body]);
  });

  it('has to be UTF-8', async () => {
    const bytes = Buffer.from(large(messages));
    bytes[LIMIT - 1] = 0xff;
    expect(await post(MESSAGES, bytes)).toMatchObject(entry('json_invalid', ['body', 0]));
  });

  it('is put together from chunks, also when it was compressed', async () => {
    const body = large(JSON.stringify({ model: 'a/b', input: [text, text] }));
    const bytes = Buffer.from(body);
    const chunks = [
      bytes.subarray(0, 500_000),
      bytes.subarray(500_000, 500_001),
      bytes.subarray(500_001),
    ];
    const sent = body.trimEnd();
    expect((await post(EMBEDDINGS, chunks)).body.sent).toBe(sent);
    const headers = { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' };
    expect((await post(EMBEDDINGS, gzipSync(bytes), headers)).body.sent).toBe(sent);
  });
});

describe('the order of things', () => {
  it('asks the guards before it reads', async () => {
    expect((await post('/v3/guarded', 'x'.repeat(1000))).status).toBe(401);
    expect(readByGuard).toBe(false);
  });

  it('survives a client that leaves in the middle', async () => {
    for (let times = 0; times < 20; times++) {
      await new Promise<void>((left) => {
        const socket = connect(port, '127.0.0.1', () => {
          socket.write(
            `POST ${MESSAGES} HTTP/1.1\r\nhost: x\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: 100\r\n\r\n{"mod`,
            () => setTimeout(() => socket.destroy(), times),
          );
        });
        socket.on('close', () => {
          left();
        });
      });
    }
    expect((await post(MESSAGES, messages)).status).toBe(200);
  });
});

/** What the server answers to these bytes until it closes the connection. */
function raw(head: string): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      resolve(Buffer.concat(chunks).toString());
    });
  });
}

const CASES = '../shared/fixtures/http-422/cases.json';
const haveCases = existsSync(CASES);
interface Case {
  readonly label: string;
  readonly path: string;
  readonly content_type: string | null;
  readonly body: string;
  readonly status: number;
  readonly detail: object[] | null;
}
// The upload cases belong to the specs of the uploads.
const cases = haveCases
  ? (JSON.parse(readFileSync(CASES, 'utf8')) as Case[]).filter(({ path }) => path === MESSAGES)
  : [];

(haveCases ? describe : describe.skip)(`recorded 422s (${CASES}, skipped without it)`, () => {
  it.each(cases.map((recorded) => [recorded.label, recorded] as const))(
    '%s',
    async (_, recorded) => {
      const headers: Record<string, string> =
        recorded.content_type === null ? {} : { 'content-type': recorded.content_type };
      const reply = await post(MESSAGES, recorded.body, headers);
      expect(reply.status).toBe(recorded.status);
      if (!recorded.detail) return;
      const detail = (reply.body.detail as Record<string, unknown>[]).map(({ type, loc, msg }) => ({
        type,
        loc,
        msg,
      }));
      expect(detail).toEqual(recorded.detail);
      for (const one of reply.body.detail) expect(one).not.toHaveProperty('input');
    },
  );
});

const SUITE = '../shared/fixtures/json/jsontestsuite/test_parsing';
const haveSuite = existsSync(SUITE);

(haveSuite ? describe : describe.skip)(`JSONTestSuite (${SUITE}, skipped without it)`, () => {
  const paths = [EMBEDDINGS, '/v3/images/generations', '/v3/images/edits', '/v3/chat/completions'];

  it('has no file that is a valid body', async () => {
    const wrong: string[] = [];
    for (const file of haveSuite ? readdirSync(SUITE) : []) {
      const body = readFileSync(`${SUITE}/${file}`);
      const { status, body: reply } = await post(MESSAGES, body);
      if (status !== 422 || !Array.isArray(reply.detail))
        wrong.push(`${MESSAGES} ${file}: ${status}`);
      for (const path of paths) {
        const other = await post(path, body);
        if (other.status !== 400 || !other.body.error.message)
          wrong.push(`${path} ${file}: ${other.status}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
