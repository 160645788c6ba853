import { describe, expect, it } from '@jest/globals';
import { COMPLETION } from './support/provider-answers.js';
import { useGatewayBefore } from './support/use-gateway.js';

const MODEL = 'xai/grok-4-fast-reasoning';
const messages = [{ role: 'user', content: 'Hello' }];

describe('a completion that xAI makes later', () => {
  const gateway = useGatewayBefore((url) => ({ XAI_API_KEY: 'k', XAI_BASE_URL: `${url}/v1` }));

  it.each([
    ['/v3/chat/completions', { messages }],
    ['/v3/v1/messages', { messages, max_tokens: 10 }],
    ['/v3/responses', { input: 'Hello' }],
  ])('is refused at %s, and not begun', async (path, fields) => {
    gateway.upstream.replies(200, { request_id: 'r' });
    const body = { model: MODEL, ...fields, deferred: true };
    const answer = await gateway.post(path, body).expect(400);
    expect(answer.text).toContain('deferred');
    expect(gateway.upstream.received).toHaveLength(0);
  });

  it('is not one that is made at once', async () => {
    gateway.upstream.replies(200, COMPLETION);
    await gateway
      .post('/v3/chat/completions', { model: MODEL, messages, deferred: false })
      .expect(200);
  });
});
