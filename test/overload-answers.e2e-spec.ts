import { afterEach, describe, expect, it } from '@jest/globals';
import { MESSAGE } from './support/fault-answers.js';
import { API_KEY } from './support/gateway.js';
import { metric } from './support/metric.js';
import { until } from './support/until.js';
import { useGateway } from './support/use-gateway.js';

const MB = 1024 * 1024;

// A budget of 20 MB, of which a quarter may be set aside for one answer. One account has 13.75 MB of it, and more
// only for small requests.
const gateway = useGateway({
  BODY_LIMIT_BYTES: String(4 * MB),
  MAX_BUFFERED_BYTES: String(20 * MB),
});
const buffered = () => metric(gateway, 'causeway_buffered_bytes');
const leaving: AbortController[] = [];

afterEach(async () => {
  for (const caller of leaving.splice(0)) caller.abort();
  await until(async () => (await buffered()) === 0);
});

describe('OV-3 memory for answers that are longer than their requests', () => {
  const inputs = Array<string>(500).fill('a');
  it.each([
    ['/v3/embeddings', { model: 'openai/text-embedding-3-small', input: inputs }],
    ['/v3/images/generations', { model: 'openai/gpt-image-1', prompt: 'A hill', n: 3 }],
  ])('of %s is set aside before the provider is called', async (path, asked) => {
    // It never answers.
    gateway.upstream.answers(() => undefined);
    gateway.upstream.received.length = 0;
    const send = (): Promise<Response> => {
      const caller = new AbortController();
      leaving.push(caller);
      const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
      const { signal } = caller;
      const body = JSON.stringify(asked);
      return fetch(gateway.url + path, { method: 'POST', headers, body, signal });
    };
    const two = Array.from({ length: 2 }, () => send().catch(() => undefined));
    await until(() => gateway.upstream.received.length === 2);
    expect(await buffered()).toBeGreaterThan(10 * MB);
    const another = await send();
    expect([another.status, another.headers.get('retry-after')]).toEqual([503, '1']);
    expect(gateway.upstream.received.length).toBe(2);
    // Who asks for little is served beside it.
    gateway.upstream.replies(200, MESSAGE);
    await gateway
      .post('/v3/v1/messages', {
        model: 'anthropic/claude-haiku-4-5',
        messages: [{ role: 'user', content: 'Hello' }],
      })
      .expect(200);
    leaving.splice(0).forEach((caller) => {
      caller.abort();
    });
    await Promise.all(two);
  });
});
