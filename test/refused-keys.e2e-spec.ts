import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type IncomingHttpHeaders } from 'node:http';
import { moveClock } from './support/clock.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { BEGINNING, CHUNKS, END } from './support/provider-answers.js';

const messages = [{ role: 'user', content: 'Hello' }];
const WITHOUT_MONEY = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message: 'Your credit balance is too low to access the API. Please purchase credits.',
  },
};
const UNKNOWN_KEY = {
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
  },
};
const XAI_KEY = { code: 'invalid-argument', error: 'Incorrect API key provided: ke***-1.' };
const ARREARAGE = {
  error: {
    message: 'Access denied, please make sure your account is in good standing.',
    ...{ type: 'Arrearage', code: 'Arrearage' },
  },
};
const ANSWERS = {
  chat: {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  },
  anthropic: { id: 'm', type: 'message', role: 'assistant', content: [] },
  google: { candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] },
};

/** A gateway with two keys for the model's provider. */
function startBefore({ url }: FakeUpstream, model: string): Promise<Asked> {
  const provider = model.split('/')[0]!.toUpperCase();
  return startAskedOn({
    [`${provider}_API_KEY`]: 'key-1',
    [`${provider}_API_KEY_2`]: 'key-2',
    [`${provider}_BASE_URL`]: url,
  });
}

describe.each([
  ['Anthropic', 'anthropic/claude-sonnet-4-5', 'x-api-key', WITHOUT_MONEY, ANSWERS.anthropic],
  ['Google', 'google/gemini-2.5-flash', 'x-goog-api-key', UNKNOWN_KEY, ANSWERS.google],
  ['xAI', 'xai/grok-4.3', 'authorization', XAI_KEY, ANSWERS.chat],
  ['Alibaba', 'alibaba/qwen-plus', 'authorization', ARREARAGE, ANSWERS.chat],
])('a key that %s refuses as a bad request', (_, model, header, refusal, answer) => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let refused: readonly string[];
  const keyIn = (headers: IncomingHttpHeaders) => String(headers[header]).replace('Bearer ', '');
  const { error } = refusal;
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    upstream.received.length = 0;
    upstream.answers((response, { headers }) => {
      const isRefused = refused.includes(keyIn(headers));
      response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isRefused ? refusal : answer));
    });
    gateway = await startBefore(upstream, model);
  });
  afterEach(() => gateway.close());

  const ask = (path: string) =>
    gateway.ask(`POST ${path}`, { model, messages, max_tokens: 9 }, { key: API_KEY });

  it.each(['/v3/v1/messages', '/v3/chat/completions'])(
    'is spared for another one on %s',
    async (path) => {
      refused = ['key-1'];
      for (let index = 0; index < 20; index++) expect((await ask(path)).status).toBe(200);
      const asked = upstream.received.filter(({ headers }) => keyIn(headers) === 'key-1');
      expect(asked.length).toBeLessThanOrEqual(1);
    },
  );

  it.each(['/v3/v1/messages', '/v3/chat/completions'])(
    'is told with its words on %s where there is no other, after each was asked once',
    async (path) => {
      refused = ['key-1', 'key-2'];
      const { status, body, headers } = await ask(path);
      const words = typeof error === 'string' ? error : error.message;
      expect([status, body.error.message]).toEqual([400, words]);
      expect(headers.get('x-causeway-attempts')).toBe(`${model}:400, ${model}:400`);
    },
  );
});

const INSIDE = {
  anthropic: { type: 'error', error: { type: 'authentication_error', message: 'invalid key-1' } },
  deepseek: {
    error: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Wrong key-1' },
  },
  google: { error: { code: 403, message: 'No right for key-1', status: 'PERMISSION_DENIED' } },
};

describe.each([
  ['Anthropic', 'anthropic/claude-sonnet-4-5', INSIDE.anthropic, BEGINNING + END],
  ['a chat', 'deepseek/deepseek-v4-flash', INSIDE.deepseek, CHUNKS],
  [
    'Google',
    'google/gemini-2.5-flash',
    INSIDE.google,
    `data: ${JSON.stringify(ANSWERS.google)}\n\n`,
  ],
])('a key that %s refuses in the place of a stream', (_, model, refusal, answer) => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let refused: readonly string[];
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    upstream.received.length = 0;
    upstream.answers((response, { headers }) => {
      const isRefused = refused.some((key) => JSON.stringify(headers).includes(key));
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(isRefused ? `event: error\ndata: ${JSON.stringify(refusal)}\n\n` : answer);
    });
    gateway = await startBefore(upstream, model);
  });
  afterEach(() => gateway.close());

  const ask = async (path: string) => {
    const body = { model, messages, max_tokens: 9, stream: true };
    const answer = await gateway.begin(`POST ${path}`, body, { key: API_KEY });
    return { status: answer.status, text: await answer.text() };
  };

  it.each(['/v3/v1/messages', '/v3/chat/completions'])(
    'is spared for another one on %s, and not told to the caller',
    async (path) => {
      refused = ['key-1'];
      for (let index = 0; index < 10; index++) expect((await ask(path)).status).toBe(200);
      const asked = upstream.received.filter(({ headers }) =>
        JSON.stringify(headers).includes('key-1'),
      );
      expect(asked.length).toBeLessThanOrEqual(1);
      refused = ['key-1', 'key-2'];
      const { status, text } = await ask(path);
      expect(status).toBe(502);
      expect(text).not.toContain('key');
    },
  );
});

it.each(['/v3/v1/messages', '/v3/chat/completions', '/v3/images/generations'])(
  'what xAI’s rules refuse is the caller’s to change, and no fault of the key (%s)',
  async (path) => {
    const upstream = new FakeUpstream();
    await upstream.listen();
    const error = 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO';
    upstream.replies(403, {
      code: 'The caller does not have permission to execute the specified operation',
      error,
    });
    const gateway = await startBefore(upstream, 'xai/x');
    const body = path.includes('images')
      ? { model: 'xai/grok-imagine-image', prompt: 'x' }
      : { model: 'xai/grok-4.3', messages, max_tokens: 9 };
    const refused = await gateway.ask(`POST ${path}`, body, { key: API_KEY });
    expect([refused.status, refused.body.error.message]).toEqual([400, error]);
    expect(upstream.received.length).toBe(1);
    await gateway.close();
    await upstream.close();
  },
);

it('any other bad request is told at once', async () => {
  const upstream = new FakeUpstream();
  await upstream.listen();
  const error = { type: 'invalid_request_error', message: 'messages: too many' };
  upstream.replies(400, { type: 'error', error });
  const model = 'anthropic/claude-sonnet-4-5';
  const gateway = await startBefore(upstream, model);
  const body = { model, messages, max_tokens: 9 };
  const { status } = await gateway.ask('POST /v3/v1/messages', body, { key: API_KEY });
  expect([status, upstream.received.length]).toEqual([400, 1]);
  await gateway.close();
  await upstream.close();
});

describe('a key of several that its provider has revoked', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let isRevoked: boolean;
  const logged: string[] = [];
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    upstream.received.length = 0;
    upstream.answers((response, { headers, path }) => {
      const isRefused = isRevoked && headers['x-api-key'] === 'key-2';
      response.writeHead(isRefused ? 401 : 200, { 'content-type': 'application/json' });
      const count = { input_tokens: 3 };
      const answer = path.endsWith('count_tokens') ? count : ANSWERS.anthropic;
      response.end(JSON.stringify(isRefused ? INSIDE.anthropic : answer));
    });
    gateway = await startBefore(upstream, 'anthropic/claude-sonnet-4-5');
    logged.length = 0;
    for (const level of ['log', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => {
        if (typeof line === 'string') logged.push(`${level}: ${line}`);
      });
    }
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await gateway.close();
  });

  /** Which of the keys is asked is chance. */
  const askUntilCalled = async (path: string) => {
    upstream.received.length = 0;
    const model = 'anthropic/claude-sonnet-4-5';
    do {
      const body = { model, messages, ...(path.endsWith('messages') && { max_tokens: 9 }) };
      expect((await gateway.ask(`POST ${path}`, body, { key: API_KEY })).status).toBe(200);
    } while (!upstream.received.some(({ headers }) => headers['x-api-key'] === 'key-2'));
  };

  it.each(['/v3/v1/messages', '/v3/v1/messages/count_tokens'])(
    'is in the log once, and again when it works, on %s',
    async (path) => {
      isRevoked = true;
      for (let minute = 0; minute < 2; minute++) {
        await askUntilCalled(path);
        moveClock(60_000);
      }
      const refused = 'warn: The provider refuses the key of anthropic/2: status 401';
      expect(logged).toEqual([refused]);
      isRevoked = false;
      for (let count = 0; count < 2; count++) await askUntilCalled(path);
      expect(logged).toEqual([refused, 'log: The key of anthropic/2 works again']);
    },
  );
});
