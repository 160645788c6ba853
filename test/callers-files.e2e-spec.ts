import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Asked, startAskedOn } from './support/admin.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';

const FILE = 'https://generativelanguage.googleapis.com/v1beta/files/none';

describe('what a caller names of Google’s and is not there', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  beforeAll(async () => {
    await upstream.listen();
    gateway = await startAskedOn({
      GOOGLE_API_KEY: 'key-1',
      GOOGLE_API_KEY_2: 'key-2',
      GOOGLE_BASE_URL: upstream.url,
    });
  });
  afterAll(() => Promise.all([gateway.close(), upstream.close()]));

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
    const { data } = (await gateway.ask('GET /v3/admin/providers')).body;
    const { deployments } = data.find(({ name }: { name: string }) => name === 'google');
    expect(deployments.map(({ rest_ms }: { rest_ms: number }) => rest_ms)).toEqual([0, 0]);
  });
});
