import { describe, expect, it } from '@jest/globals';
import { COMPLETION } from './support/provider-answers.js';
import { SURFACES } from './support/surfaces.js';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const HAIKU = 'openrouter/anthropic/claude-haiku-4.5';
const DEAR = 'anthropic/claude-opus-4.8';
const messages = [{ role: 'user', content: 'Hello' }];
const CHAT = '/v3/chat/completions';

describe('a request to OpenRouter that has other models called as well', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...usualProviders(url),
    ...{ OPENROUTER_API_KEY: 'upstream-openrouter-key', OPENROUTER_BASE_URL: `${url}/or/v1` },
  }));

  const offered = (type: string) => ({ tools: [{ type, parameters: { model: DEAR } }] });
  it.each([
    ...SURFACES.map(([path, body]) => [path, { ...body, models: [DEAR] }] as const),
    ...SURFACES.map(([path, body]) => [path, { ...body, plugins: [{ id: 'fusion' }] }] as const),
    [CHAT, { messages, ...offered('openrouter:advisor') }],
    [CHAT, { messages, ...offered('openrouter:fusion') }],
    ['/v3/v1/messages', { messages, max_tokens: 9, ...offered('advisor_20260301') }],
  ])('is refused before any call: %s %j', async (path, body) => {
    upstream.received.length = 0;
    upstream.replies(200, COMPLETION);
    for (const stream of [false, true]) {
      await post(path, { model: HAIKU, ...body, stream }).expect(400);
    }
    expect(upstream.received).toEqual([]);
  });

  it.each([
    ['/v3/embeddings', { model: 'openrouter/openai/text-embedding-3-small', input: 'a' }],
    ['/v3/images/generations', { model: 'openrouter/google/gemini-3-pro-image', prompt: 'a' }],
  ])('is refused on %s too', async (path, body) => {
    upstream.received.length = 0;
    const { body: told } = await post(path, { ...body, models: [DEAR] }).expect(400);
    expect(told.error.param).toBe('models');
    expect(upstream.received).toEqual([]);
  });

  it('is passed over as a fallback, and sent on with what else OpenRouter knows', async () => {
    upstream.received.length = 0;
    upstream.replies(429, { error: { message: 'slow down' } }, { 'retry-after': '600' });
    const asked = { model: 'openai/gpt-4o', fallbacks: [HAIKU], messages, models: [DEAR] };
    await post(CHAT, asked).expect(429);
    expect(upstream.received).toHaveLength(1);
    upstream.replies(200, COMPLETION);
    const plugins = [{ id: 'web' }];
    await post(CHAT, { model: HAIKU, messages, plugins, models: [] }).expect(200);
    expect(upstream.last.body).toMatchObject({ plugins });
  });
});
