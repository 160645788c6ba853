import { beforeEach, describe, expect, it } from '@jest/globals';
import { zstdCompressSync } from 'node:zlib';
import { type Answer, providerAt } from './support/admin.js';
import { API_KEY } from './support/gateway.js';
import { COMPLETION } from './support/provider-answers.js';
import { useGatewayBefore } from './support/use-gateway.js';

/** https://github.com/openai/codex/issues/1000 */
const MISMATCHED = {
  message: 'OpenAI-Organization header should match organization for API key',
  ...{ type: 'invalid_request_error', param: null, code: 'mismatched_organization' },
};

/** https://github.com/googleapis/python-genai/issues/1330 */
const TIMED_OUT = JSON.stringify({
  error: { code: 500, message: 'An internal error has occurred.', status: 'INTERNAL' },
});

describe('extra_headers that would speak against what works for others', () => {
  const gateway = useGatewayBefore((url) => ({
    OPENAI_API_KEY: 'key-1',
    OPENAI_BASE_URL: `${url}/v1`,
    // A model of several keys stays open while one of them works.
    MISTRAL_API_KEY: 'key-1',
    MISTRAL_API_KEY_2: 'key-2',
    MISTRAL_BASE_URL: `${url}/v1`,
    GOOGLE_API_KEY: 'key-1',
    GOOGLE_BASE_URL: `${url}/v1beta`,
    BREAKER: 'on',
  }));
  const { upstream } = gateway;
  beforeEach(() => {
    upstream.answers((response, { headers }) => {
      if (headers['x-server-timeout'] !== undefined) {
        response.writeHead(500, { 'content-type': 'application/json' }).end(TIMED_OUT);
        return;
      }
      const isForeign = headers['openai-organization'] !== undefined;
      const isPacked = headers['accept-encoding']?.includes('zstd') === true;
      const text = JSON.stringify(isForeign ? { error: MISMATCHED } : COMPLETION);
      response.writeHead(isForeign ? 401 : 200, {
        'content-type': 'application/json',
        ...(isPacked && { 'content-encoding': 'zstd' }),
      });
      response.end(isPacked ? zstdCompressSync(text) : text);
    });
  });

  const call = (model: string, headers?: Record<string, string>): Promise<Answer> => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = { model, messages, ...(headers && { extra_headers: headers }) };
    return gateway.ask('POST /v3/chat/completions', body, { key: API_KEY });
  };

  it('open no circuit by an encoding that is not read here', async () => {
    for (let count = 0; count < 25; count += 1) {
      const { status, body } = await call('openai/gpt-4o-mini', { 'Accept-Encoding': 'zstd' });
      expect([status, body.error.param]).toEqual([400, 'extra_headers']);
    }
    expect((await call('openai/gpt-4o-mini')).status).toBe(200);
    expect((await providerAt(gateway, 'openai')).circuit).toBe('closed');
  });

  it('open no circuit by a time in which no model can answer', async () => {
    for (let count = 0; count < 25; count += 1) {
      const { status, body } = await call('google/gemini-2.5-flash', { 'X-Server-Timeout': '1' });
      expect([status, body.error.param]).toEqual([400, 'extra_headers']);
    }
    expect((await providerAt(gateway, 'google')).circuit).toBe('closed');
  });

  it('let no key rest by an account that is not the operator’s', async () => {
    const model = 'mistral/mistral-small-latest';
    expect((await call(model, { 'OpenAI-Organization': 'org-x' })).status).toBe(400);
    const { deployments } = await providerAt(gateway, 'mistral');
    expect(deployments).toEqual([
      expect.objectContaining({ rest_ms: 0 }),
      expect.objectContaining({ rest_ms: 0 }),
    ]);
    expect((await call(model)).status).toBe(200);
  });
});
