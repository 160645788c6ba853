import { describe, expect, it } from '@jest/globals';
import { fundedAccount, send } from './support/credit.js';
import { useGatewayBefore } from './support/use-gateway.js';

const ONE_USD = 1_000_000_000_000n;
const ANSWER = {
  candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
};

describe('a bound of an answer in the provider’s own words', () => {
  const gateway = useGatewayBefore((url) => ({
    GOOGLE_API_KEY: 'google-key',
    GOOGLE_BASE_URL: url,
  }));

  it.each(['/v3/v1/messages', '/v3/chat/completions'])('is held for at %s', async (path) => {
    const { upstream, app } = gateway;
    upstream.received.length = 0;
    upstream.replies(200, ANSWER);
    // At 10 USD a million tokens; 60,000 of them are 0.60.
    const { key } = await fundedAccount({ app }, ONE_USD / 10n);
    const body = {
      model: 'google/gemini-2.5-pro',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 1,
    };
    const generationConfig = { maxOutputTokens: 60_000 };
    const dear = await send(gateway.url, { path, key, body: { ...body, generationConfig } });
    expect(dear.status).toBe(402);
    expect(upstream.received).toEqual([]);
    expect((await send(gateway.url, { path, key, body })).status).toBe(200);
  });
});
