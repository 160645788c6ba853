import { describe, expect, it } from '@jest/globals';
import { providerAt } from './support/admin.js';
import { API_KEY } from './support/gateway.js';
import { useGatewayBefore } from './support/use-gateway.js';

const FILE = 'https://generativelanguage.googleapis.com/v1beta/files/none';

describe('what a caller names of Google’s and is not there', () => {
  const gateway = useGatewayBefore((url) => ({
    GOOGLE_API_KEY: 'key-1',
    GOOGLE_API_KEY_2: 'key-2',
    GOOGLE_BASE_URL: url,
  }));
  const { upstream } = gateway;

  it.each([
    [
      'You do not have permission to access the File none or it may not exist.',
      [{ type: 'document', source: { type: 'url', url: FILE } }],
    ],
    ['CachedContent not found (or permission denied)', 'Hi'],
  ])('is the caller’s fault, and lets no key rest: %s', async (message, content) => {
    upstream.received.length = 0;
    upstream.replies(403, { error: { code: 403, message, status: 'PERMISSION_DENIED' } });
    const { status, body } = await gateway.ask(
      'POST /v3/v1/messages',
      {
        ...{ model: 'google/gemini-2.5-flash', max_tokens: 10, cachedContent: 'cachedContents/no' },
        messages: [{ role: 'user', content }],
      },
      { key: API_KEY },
    );
    expect([status, body.error.message]).toEqual([400, message]);
    expect(upstream.received).toHaveLength(1);
    const { deployments } = await providerAt(gateway, 'google');
    expect(deployments.map(({ rest_ms }: { rest_ms: number }) => rest_ms)).toEqual([0, 0]);
  });
});
