import { describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { temporaryDirectory } from './support/databases.js';
import { GOOD_STREAM } from './support/fault-answers.js';
import { ask, messageIn, NOVA } from './support/lessons.js';
import { converseWire } from './support/scripted-upstream-converse.js';
import { useGateway, useGatewayBefore } from './support/use-gateway.js';

const LLAMA = 'ollama/llama3.2';
const MODELS_FILE = join(temporaryDirectory(), 'models.yaml');
writeFileSync(
  MODELS_FILE,
  `models: { ${LLAMA}: { endpoints: [messages], pricing: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000001 } } }`,
);

const lines = ['Hel', 'lo', ''].map((content, index) => ({
  message: { role: 'assistant', content },
  ...(index === 2 && { done: true, done_reason: 'stop', eval_count: 2 }),
}));
const STREAMS = [
  ['lines', LLAMA, lines.map((line) => `${JSON.stringify(line)}\n`)],
  ['messages of AWS', NOVA, converseWire.stream([{ text: 'Hello' }], { messages: [] })],
] as const;

describe('UF-11 A stream that is called JSON', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...{ OLLAMA_BASE_URL: url, BEDROCK_API_KEY: 'upstream-bedrock-key', BEDROCK_BASE_URL: url },
    MODELS_FILE,
  }));
  const reply = (type: string, pieces: readonly (string | Buffer)[], model: string) => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': type });
      for (const piece of pieces) response.write(piece);
      response.end();
    });
    return post('/v3/v1/messages', ask(model, { stream: true }));
  };

  it.each(STREAMS)('is read all the same (%s)', async (_, model, pieces) => {
    const { text } = await reply('application/json', pieces, model).expect(200);
    expect((await messageIn(text)).content).toEqual([{ type: 'text', text: 'Hello' }]);
  });

  it.each([LLAMA, NOVA])('is an error where it is one (%s)', async (model) => {
    const error = JSON.stringify({ error: 'Secret trace', message: 'Secret trace' });
    const { text } = await reply('application/json', [error], model).expect(502);
    expect(text).not.toContain('Secret');
  });
});

describe('UF-13 An error dressed as a stream', () => {
  const { upstream, post } = useGateway();
  const model = 'anthropic/claude-haiku-4-5';
  const error = JSON.stringify({
    type: 'error',
    error: { type: 'invalid_request_error', message: 'Too warm' },
  });
  const answered = (type: string, pieces: readonly string[]) => {
    upstream.answers(async (response) => {
      response.writeHead(200, { 'content-type': type });
      for (const piece of pieces) {
        response.write(piece);
        await delay(50);
      }
      response.end();
    });
    return post('/v3/v1/messages', ask(model, { stream: true }));
  };

  it.each([
    ['in capitals', 'Application/JSON', [error]],
    ['called text', 'text/plain', [error]],
    ['called events', 'text/event-stream', [error]],
    ['behind a line feed that comes alone', 'application/json', ['\n', ' \r\n', error]],
    ['behind a byte order mark', 'application/json', [`\ufeff${error}`]],
    ['behind a byte order mark that comes alone', 'text/plain', ['\ufeff', error]],
  ])('is known by its content: %s', async (_, type, pieces) => {
    const { body } = await answered(type, pieces).expect(400);
    expect(body.error).toMatchObject({ type: 'invalid_request_error', message: 'Too warm' });
  });

  it.each(['application/json', 'text/plain'])(
    'is none where events are called %s',
    async (type) => {
      const { text } = await answered(type, ['\n\n', GOOD_STREAM]).expect(200);
      expect((await messageIn(text)).stop_reason).toBe('end_turn');
    },
  );

  it('is none where lines end with CR alone', async () => {
    const stream = GOOD_STREAM.replaceAll('\n', '\r');
    const { text } = await answered('text/event-stream', [stream]).expect(200);
    expect((await messageIn(text)).stop_reason).toBe('end_turn');
  });
});

describe('A whole answer behind a byte order mark', () => {
  const { upstream, post } = useGateway();
  const messages = [{ role: 'user', content: 'Hi' }];
  const chat = { choices: [{ message: { role: 'assistant', content: 'Hi' } }], usage: {} };
  const claude = { content: [{ type: 'text', text: 'Hi' }], usage: {} };
  const vectors = { data: [{ index: 0, embedding: [1, 2] }], usage: {} };

  it.each([
    ['/v3/chat/completions', { model: 'openai/gpt-4o', messages }, chat],
    ['/v3/v1/messages', { model: 'anthropic/claude-haiku-4-5', messages }, claude],
    [
      '/v3/embeddings',
      { model: 'openai/text-embedding-3-small', input: 'Hi', encoding_format: 'float' },
      vectors,
    ],
  ])('is read and passed on without it: %s', async (path, request, answer) => {
    upstream.replies(200, `\ufeff${JSON.stringify(answer)}`);
    const { body, text } = await post(path, request).expect(200);
    expect(text.startsWith('{')).toBe(true);
    const { usage: _usage, ...said } = answer;
    expect(body).toMatchObject(said);
  });
});

describe('UF-14 An encoding that nobody knows', () => {
  const { upstream, post } = useGateway();

  it.each(['zstd', 'constructor', '__proto__'])('is a broken answer: %s', async (encoding) => {
    upstream.answers((response) => {
      response.writeHead(200, { 'content-encoding': encoding });
      response.end('{}');
    });
    const asked = ask('openai/gpt-4o', { fallbacks: ['sandbox/echo'] });
    const { headers } = await post('/v3/v1/messages', asked).expect(200);
    expect(headers['x-causeway-attempts']).toBe('openai/gpt-4o:502, sandbox/echo:ok');
  });
});
