import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Asked, startAskedOn } from './support/admin.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { API_KEY } from './support/gateway.js';
import { COMPLETION } from './support/provider-answers.js';

/** https://github.com/Aider-AI/aider/issues/604 */
const LACKED = {
  message: 'Project `proj_secret` does not have access to model `gpt-4o`',
  ...{ type: 'invalid_request_error', param: null, code: 'model_not_found' },
};

describe('keys of OpenAI whose projects have no right to a model', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let without: readonly string[];
  beforeAll(() => upstream.listen());
  afterAll(() => upstream.close());
  beforeEach(async () => {
    upstream.received.length = 0;
    upstream.answers((response, { headers, body }) => {
      const isLacked = body.model === 'gpt-4o' && without.includes(keyIn(headers));
      response.writeHead(isLacked ? 403 : 200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isLacked ? { error: LACKED } : COMPLETION));
    });
    gateway = await startAskedOn({
      OPENAI_API_KEY: 'key-1',
      OPENAI_API_KEY_2: 'key-2',
      OPENAI_BASE_URL: `${upstream.url}/v1`,
    });
  });
  afterEach(() => gateway.close());

  const keyIn = ({ authorization = '' }: { authorization?: string | undefined }): string =>
    authorization.replace('Bearer ', '');
  const ask = (name: string) => {
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = { model: `openai/${name}`, messages };
    return gateway.ask('POST /v3/chat/completions', body, { key: API_KEY });
  };
  const keysFor = (name: string) =>
    upstream.received
      .filter(({ body }) => body.model === name)
      .map(({ headers }) => keyIn(headers));

  it('are asked for the others all the same', async () => {
    without = ['key-1'];
    for (let index = 0; index < 30; index++) {
      expect((await ask('gpt-4o')).status).toBe(200);
      expect((await ask('gpt-4o-mini')).status).toBe(200);
    }
    expect(keysFor('gpt-4o').filter((key) => key === 'key-1').length).toBeLessThanOrEqual(1);
    expect(keysFor('gpt-4o-mini').filter((key) => key === 'key-1').length).toBeGreaterThan(2);
  });

  it('do not tell callers whose project it is', async () => {
    without = ['key-1', 'key-2'];
    const { status, body } = await ask('gpt-4o');
    expect([status, body.error.code]).toEqual([502, 'upstream_error']);
    expect(JSON.stringify(body)).not.toContain('proj_secret');
  });
});
