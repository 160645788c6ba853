import { describe, expect, it } from '@jest/globals';
import { useGatewayBefore, usualProviders } from './support/use-gateway.js';

const CLAUDE = 'anthropic/claude-haiku-4-5';
const GPT = 'openai/gpt-4o-mini';
const LLAMA = 'groq/llama-3.1-8b-instant';
const messages = [{ role: 'user', content: 'Hello' }];
/** Groq is not asked for it: it calls functions only. */
const tools = [{ type: 'custom', custom: { name: 'c' } }];

describe('@router whose only model for a request is down', () => {
  const { upstream, post } = useGatewayBefore((url) => ({
    ...usualProviders(url),
    ...{ GROQ_API_KEY: 'upstream-groq-key', GROQ_BASE_URL: `${url}/groq/v1`, BREAKER: 'on' },
  }));
  const routed = (more: object = {}) =>
    post('/v3/chat/completions', {
      ...{ model: '@router', router_candidates: [GPT, LLAMA], messages, tools },
      ...{ routing: { sticky: false, quality_cost: 0 }, ...more },
    });

  it('says that it is, and not that the request is wrong, which the others do not take', async () => {
    upstream.replies(500, { error: { message: 'Down' } });
    await routed().expect(502);
    for (let call = 0; call < 19; call += 1) {
      await post('/v3/chat/completions', { model: GPT, messages }).expect(502);
    }
    upstream.received.length = 0;
    const { headers } = await routed().expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    await routed({ fallbacks: [LLAMA] }).expect(503);
    expect(upstream.received).toEqual([]);
    const { body } = await post('/v3/route', { model: '@router', messages, tools });
    expect(body.candidates).toContainEqual(
      expect.objectContaining({ model: GPT, dropped: 'unhealthy' }),
    );
  });

  it('has a thread that begins told to the one that works, and not to the one that could hold it', async () => {
    upstream.replies(500, { error: { message: 'Down' } });
    const body = { model: CLAUDE, messages, max_tokens: 9 };
    await Promise.all(Array.from({ length: 20 }, () => post('/v3/v1/messages', body).expect(502)));
    await post('/v3/v1/messages', body).expect(503);
    const routing = { router_candidates: [CLAUDE, LLAMA], routing: { sticky: false } };
    const asked = { ...body, ...routing, model: '@router' };
    const { body: told } = await post('/v3/v1/messages', { ...asked, thread: { type: 'create' } });
    expect(told.error.details).toMatchObject({ error_code: 'thread_unsupported_request' });
    const going = { type: 'continue', previous_message_id: 'msg_1' };
    await post('/v3/v1/messages', { ...asked, thread: going }).expect(503);
  });
});
