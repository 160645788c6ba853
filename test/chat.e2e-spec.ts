import { describe, expect, it } from '@jest/globals';
import { useGateway } from './support/use-gateway.js';

const PATH = '/v3/chat/completions';
const model = 'openai/gpt-4o-mini';
const messages = [{ role: 'user', content: 'Hello' }];
const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini-2024-07-18',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage,
};
const chunk = (choices: unknown[], more: object = {}) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'gpt', choices, ...more })}\n\n`;
const FIRST = chunk([
  { index: 0, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null },
]);
const FINISH = chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
const USAGE = chunk([], { usage });
const DONE = 'data: [DONE]\n\n';
const cost = 1000 * 0.00000015 + 500 * 0.0000006;

describe('POST /v3/chat/completions', () => {
  const { upstream, post } = useGateway({ UPSTREAM_IDLE_TIMEOUT_MS: '1000' });

  it('relays and adds cost, provider and the full model id', async () => {
    upstream.replies(200, answer);
    const { body } = await post(PATH, { model, messages, seed: 5 }).expect(200);
    expect(body).toEqual({ ...answer, model, cost, provider: 'openai' });
    expect(upstream.last.body).toEqual({ model: 'gpt-4o-mini', messages, seed: 5 });
  });

  it('streams with the usage chunk hidden from a caller who did not ask', async () => {
    upstream.streams(FIRST, FINISH, USAGE, DONE);
    const reply = await post(PATH, { model, messages, stream: true }).expect(200);
    expect(upstream.last.body.stream_options).toEqual({ include_usage: true });
    expect(reply.text.trim().split('\n\n')).toHaveLength(3);
    expect(reply.text.endsWith(DONE)).toBe(true);
    expect(reply.text).not.toContain('"usage"');
  });

  it('streams the usage chunk with the cost to a caller who asked', async () => {
    upstream.streams(FIRST, FINISH, USAGE, DONE);
    const stream_options = { include_usage: true };
    const reply = await post(PATH, { model, messages, stream: true, stream_options });
    const frames = reply.text.trim().split('\n\n');
    expect(JSON.parse(frames[2]!.slice(6))).toMatchObject({
      model,
      usage,
      cost,
      provider: 'openai',
    });
  });

  it('tells which models were tried in the first event, also where it is the last one', async () => {
    const told = async (...sent: string[]) => {
      upstream.streams(...sent, DONE);
      const asked = post(PATH, { model, messages, stream: true });
      const { text } = await asked.set('x-causeway-metadata', 'enabled').expect(200);
      expect(text.split('causeway_metadata')).toHaveLength(2);
      return JSON.parse(text.slice('data: '.length, text.indexOf('\n'))).causeway_metadata.attempts;
    };
    const tried = { model, provider: 'openai', status: 200, ms: expect.any(Number) };
    expect(await told(FIRST, FINISH, USAGE)).toEqual([tried]);
    const all = [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }];
    expect(await told(chunk(all, { usage }))).toEqual([tried]);
  });

  it('ends a broken stream in an error chunk', async () => {
    upstream.streams(FIRST);
    const { text } = await post(PATH, { model, messages, stream: true }).expect(200);
    expect(text).toContain('data: {"error":{"message"');
    expect(text).not.toContain('[DONE]');
  });

  it('refuses an image model with the words of the contract', async () => {
    const { body } = await post(PATH, { model: 'openai/gpt-image-1', messages }).expect(400);
    expect(body).toEqual({
      error: {
        message: 'Model(s) openai/gpt-image-1 do not support /chat/completions',
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_supported',
      },
    });
  });

  it('keeps a provider’s code and param on a 400', async () => {
    const error = {
      message: 'Too long',
      type: 'x',
      param: 'messages',
      code: 'context_length_exceeded',
    };
    upstream.replies(400, { error });
    const { body } = await post(PATH, { model, messages }).expect(400);
    expect(body.error).toEqual({ ...error, type: 'invalid_request_error' });
  });
});

describe('unknown paths and wrong methods', () => {
  const { get, post } = useGateway();

  it('answers 404 and 405 in JSON', async () => {
    const unknown = await get('/v3/nothing').expect(404);
    expect(unknown.body.error).toMatchObject({
      type: 'invalid_request_error',
      code: 'unknown_url',
    });
    const anthropic = await post('/v3/v1/nothing', {}).expect(404);
    expect(anthropic.body).toMatchObject({ type: 'error', error: { type: 'not_found_error' } });
    const wrong = await get('/v3/embeddings').expect(405);
    expect(wrong.headers.allow).toBe('POST');
    expect(wrong.body.error.code).toBe('method_not_allowed');
    await get('/v3/images/variations').expect(404);
    expect((await post('/v3/models', {}).expect(405)).headers.allow).toBe('GET, HEAD');
  });

  it.each([
    ['/v1/chat/completions', '/v3/chat/completions'],
    ['/chat/completions', '/v3/chat/completions'],
    ['/v3/v1/chat/completions', '/v3/chat/completions'],
    ['/v3//chat/completions/', '/v3/chat/completions'],
    ['/v3/v3/embeddings', '/v3/embeddings'],
    ['/v1/messages', '/v3/v1/messages'],
    ['/v3/v1/v1/messages', '/v3/v1/messages'],
    ['/v1/messages/count_tokens', '/v3/v1/messages/count_tokens'],
  ])('names the path that %s was meant for', async (path, meant) => {
    const { body } = await post(path, {}).expect(404);
    expect(body.error.message).toBe(`Unknown request URL: POST ${path}. Did you mean ${meant}?`);
  });

  it.each(['/v3/nothing', '/v1/files', '/', '/v3', '/v1/models/%ff'])(
    'names none for %s',
    async (path) => {
      const { body } = await post(path, {}).expect(404);
      expect(body.error.message).toBe(`Unknown request URL: POST ${path}`);
    },
  );
});
