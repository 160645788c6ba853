import { describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Received } from './support/fake-upstream.js';
import { useGateway } from './support/use-gateway.js';

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'ok' }],
  usage: { input_tokens: 10, output_tokens: 12 },
};
const vectors = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [0.1] }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
};
const image = { created: 1, data: [{ b64_json: 'AAAA' }], usage: null };
const START =
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":10,"output_tokens":1}}}\n\n';

const REQUESTS = {
  message: ['/v3/v1/messages', { model: 'anthropic/claude-sonnet-4-5', messages: [] }],
  stream: ['/v3/v1/messages', { model: 'anthropic/claude-sonnet-4-5', messages: [], stream: true }],
  vectors: ['/v3/embeddings', { model: 'openai/text-embedding-3-small', input: 'x' }],
  image: ['/v3/images/generations', { model: 'openai/gpt-image-1', prompt: 'x' }],
} as const;

type Fault = (response: ServerResponse, request: Received) => void;

const JSON_HEAD = { 'content-type': 'application/json' };
const goodReply = ({ path }: Received) =>
  JSON.stringify(path.includes('images') ? image : path.includes('embed') ? vectors : message);
const send =
  (
    body: (request: Received) => string | Buffer,
    headers: Record<string, string> = JSON_HEAD,
    status = 200,
  ): Fault =>
  (response, request) => {
    response.writeHead(status, headers).end(body(request));
  };

const huge: Fault = (response) => {
  response.writeHead(200, JSON_HEAD).write('{"x":"');
  const piece = Buffer.alloc(1 << 20, 0x61);
  const more = (): void => {
    while (!response.destroyed) {
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
  };
  more();
};

/** Each fault, and the status that every endpoint answers. */
const FAULTS: readonly (readonly [string, Fault, number])[] = [
  ['cuts the connection', (response) => response.destroy(), 502],
  ['never answers', () => undefined, 504],
  [
    'cuts the body',
    (response) => {
      response.writeHead(200, { ...JSON_HEAD, 'content-length': '1000' }).write('{"a');
      setTimeout(() => response.destroy(), 20);
    },
    502,
  ],
  [
    'stops in the body',
    (response) => {
      response.writeHead(200, JSON_HEAD).write('{"a');
    },
    504,
  ],
  ['sends JSON that is wrong', send(() => '{"id": nope}'), 502],
  ['sends JSON that is cut', send((request) => goodReply(request).slice(0, -5)), 502],
  ['sends nothing', send(() => ''), 502],
  ['answers 204', send(() => '', {}, 204), 502],
  [
    'answers a page with 200',
    send(() => '<html>login</html>', { 'content-type': 'text/html' }),
    502,
  ],
  [
    'answers a page with 502',
    send(() => '<html>Bad Gateway</html>', { 'content-type': 'text/html' }, 502),
    502,
  ],
  ['redirects', send(() => '', { location: 'http://127.0.0.1:1/' }, 301), 502],
  [
    'sends gzip that is cut',
    send((request) => gzipSync(goodReply(request)).subarray(0, 15), {
      ...JSON_HEAD,
      'content-encoding': 'gzip',
    }),
    502,
  ],
  [
    'sends a chain of encodings',
    send(() => 'x', { ...JSON_HEAD, 'content-encoding': 'gzip, gzip, gzip' }),
    502,
  ],
  [
    'sends a bomb',
    send(() => gzipSync(Buffer.alloc(1 << 27)), { ...JSON_HEAD, 'content-encoding': 'gzip' }),
    502,
  ],
  ['sends without end', huge, 502],
  [
    'repeats our key',
    send(
      ({ headers }) =>
        JSON.stringify({
          error: { message: `bad key ${headers.authorization ?? ''}${headers['x-api-key'] ?? ''}` },
        }),
      JSON_HEAD,
      401,
    ),
    502,
  ],
  [
    'says 429',
    send(() => '{"error":{"message":"slow down"}}', { ...JSON_HEAD, 'retry-after': '7' }, 429),
    429,
  ],
];

describe('when a provider', () => {
  const gateway = useGateway({
    UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '400',
    UPSTREAM_IDLE_TIMEOUT_MS: '400',
  });

  describe.each(FAULTS)('%s', (_, fault, status) => {
    it.each(Object.keys(REQUESTS) as (keyof typeof REQUESTS)[])(
      'answers a %s well',
      async (kind) => {
        const [path, body] = REQUESTS[kind];
        gateway.upstream.answers(fault);
        const reply = await gateway.post(path, body).expect(status);
        expect(reply.headers['content-type']).toMatch(/^application\/json/);
        expect(typeof reply.body.error.message).toBe('string');
        expect(reply.text).not.toMatch(
          /upstream-(openai|anthropic)-key|127\.0\.0\.1|<html>|node_modules/,
        );
        if (status === 429) expect(reply.headers['retry-after']).toBe('7');
      },
      15_000,
    );
  });

  it.each([
    [
      'cuts the stream',
      (response: ServerResponse) => {
        response.write(START);
        setTimeout(() => response.destroy(), 20);
      },
      'api_error',
    ],
    [
      'falls silent in the stream',
      (response: ServerResponse) => {
        response.write(START);
      },
      'timeout_error',
    ],
    [
      'ends the stream too soon',
      (response: ServerResponse) => {
        response.end(START);
      },
      'api_error',
    ],
  ])('%s, the caller gets an error event', async (_, act, type) => {
    gateway.upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      act(response);
    });
    const [path, body] = REQUESTS.stream;
    const { text } = await gateway.post(path, body).expect(200);
    expect(text).toContain('event: message_start');
    expect(text.trimEnd().split('\n\n').at(-1)).toContain(
      `event: error\ndata: {"type":"error","error":{"type":"${type}"`,
    );
  });

  it('has failed many times, connections are free and good answers come through', async () => {
    gateway.upstream.answers(send(goodReply));
    for (const kind of ['message', 'vectors', 'image'] as const) {
      const [path, body] = REQUESTS[kind];
      await gateway.post(path, body).expect(200);
    }
  });
});
