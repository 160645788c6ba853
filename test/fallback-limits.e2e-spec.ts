import { describe, expect, it } from '@jest/globals';
import { COMPLETION, MESSAGE } from './support/provider-answers.js';
import { useGateway } from './support/use-gateway.js';

const CLAUDE = 'anthropic/claude-sonnet-4-5';
/** It writes 32,000 tokens at most. */
const SHORTER = 'anthropic/claude-opus-4-1';
/** And this one 16,384. */
const SHORT = 'openai/gpt-4o';
const messages = [{ role: 'user', content: 'Hello' }];
const thinking = { type: 'enabled', budget_tokens: 31_999 };

describe('a bound that a fallback cannot reach', () => {
  const { upstream, post } = useGateway();

  /** What the fallback is sent when the model that was asked for is down. */
  const sentTo = async (fallback: string, path: string, body: object) => {
    upstream.received.length = 0;
    upstream.answers((response, { path: at, body: asked }) => {
      const [, name] = CLAUDE.split('/');
      const isDown = asked.model === name;
      const answer = at.endsWith('/messages')
        ? { ...MESSAGE, content: [{ type: 'text', text: 'Hi' }], usage: {} }
        : { ...COMPLETION, object: 'response', status: 'completed', output: [{ type: 'message' }] };
      response.writeHead(isDown ? 529 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isDown ? {} : answer));
    });
    await post(path, { model: CLAUDE, fallbacks: [fallback], ...body }).expect(200);
    const [asked, fallen] = upstream.received;
    return [asked!.body, fallen!.body];
  };

  it.each([
    ['max_tokens', '/v3/v1/messages', { max_tokens: 64_000, messages }],
    ['max_tokens', '/v3/chat/completions', { max_tokens: 64_000, messages }],
    ['max_completion_tokens', '/v3/chat/completions', { max_completion_tokens: 64_000, messages }],
    ['max_output_tokens', '/v3/responses', { max_output_tokens: 64_000, input: 'Hello' }],
  ])('is lowered to what it writes (%s on %s)', async (name, path, body) => {
    const [asked, fallen] = await sentTo(SHORT, path, body);
    expect([asked.max_tokens, fallen[name]]).toEqual([64_000, 16_384]);
  });

  it('is left alone where the fallback can', async () => {
    const [, fallen] = await sentTo(SHORT, '/v3/v1/messages', { max_tokens: 16_384, messages });
    expect(fallen.max_tokens).toBe(16_384);
  });

  it('is the model’s own to judge that was named', async () => {
    upstream.received.length = 0;
    upstream.replies(400, { error: { message: 'max_tokens is too large' } });
    const body = { model: SHORT, max_tokens: 64_000, messages };
    await post('/v3/chat/completions', body).expect(400);
    expect(upstream.received.map(({ body: sent }) => sent.max_tokens)).toEqual([64_000]);
  });

  it('leaves room for an answer behind the thinking', async () => {
    const body = { max_tokens: 64_000, messages, thinking };
    const [asked, fallen] = await sentTo(SHORTER, '/v3/v1/messages', body);
    expect(asked.thinking).toEqual(thinking);
    expect(fallen).toMatchObject({
      max_tokens: 32_000,
      thinking: { type: 'enabled', budget_tokens: 16_000 },
    });
  });
});
