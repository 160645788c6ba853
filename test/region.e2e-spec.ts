import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, startAskedOn } from './support/admin.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { PIXEL } from '../src/http/api-call-examples.js';
import { COMPLETION } from './support/provider-answers.js';

const PRICES = 'pricing: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000001 }';
const EUROPEAN = 'openai/gpt-4o-mini';
const EVERYWHERE = 'openai/gpt-4o';
const messages = [{ role: 'user', content: 'Hello' }];

describe('a model outside of the caller’s region', () => {
  const upstream = new FakeUpstream();
  let folder: string;
  let gateway: Asked;
  let american: string;
  let european: string;

  beforeAll(async () => {
    await upstream.listen();
    folder = await mkdtemp(join(tmpdir(), 'causeway-region-'));
    const rows = [
      `  ${EUROPEAN}: { regions: [eu] }`,
      '  openai/gpt-image-1-mini: { regions: [eu] }',
      '  openai/text-embedding-3-small: { regions: [eu] }',
      `  openai/only-in-europe: { endpoints: [messages], regions: [eu], ${PRICES} }`,
    ];
    await writeFile(join(folder, 'models.yaml'), `models:\n${rows.join('\n')}\n`);
    gateway = await startAskedOn({
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: upstream.url,
      MODELS_FILE: join(folder, 'models.yaml'),
    });
    [american, european] = (await Promise.all(['us', 'eu'].map(keyIn))) as [string, string];
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), upstream.close()]);
    await rm(folder, { recursive: true });
  });
  beforeEach(() => {
    upstream.replies(200, COMPLETION);
  });

  const keyIn = async (region: string): Promise<string> => {
    const account = await gateway.ask('POST /v3/admin/accounts', { name: region, region });
    const path = `POST /v3/admin/accounts/${account.body.id}/keys`;
    return (await gateway.ask(path, { name: 'k' })).body.key;
  };
  const refused = async (key: string, path: string, body: object) => {
    const before = upstream.received.length;
    const answer = await gateway.ask(`POST ${path}`, body, { key });
    return { ...answer, calls: upstream.received.length - before };
  };

  it.each([
    ['/v3/chat/completions', { model: EUROPEAN, messages }],
    ['/v3/responses', { model: EUROPEAN, input: 'Hello' }],
    ['/v3/embeddings', { model: 'openai/text-embedding-3-small', input: 'Hello' }],
    ['/v3/images/generations', { model: 'openai/gpt-image-1-mini', prompt: 'A cat' }],
    [
      '/v3/images/edits',
      {
        model: 'openai/gpt-image-1-mini',
        prompt: 'A cat',
        images: [{ image_url: `data:image/png;base64,${PIXEL}` }],
      },
    ],
    ['/v3/route', { model: EUROPEAN, messages }],
  ])('is 451 on %s, before any call', async (path, body) => {
    const { status, body: answer, calls } = await refused(american, path, body);
    expect([status, calls]).toEqual([451, 0]);
    expect(answer).toEqual({
      error: {
        message: expect.stringContaining('not available in your region'),
        type: 'request_forbidden',
        param: 'model',
        code: 'region_not_allowed',
      },
    });
  });

  it.each([['/v3/v1/messages'], ['/v3/v1/messages/count_tokens']])(
    'is 451 on %s in Anthropic’s shape',
    async (path) => {
      const body = { model: EUROPEAN, max_tokens: 9, messages };
      const { status, body: answer, calls } = await refused(american, path, body);
      expect([status, calls]).toEqual([451, 0]);
      expect(answer).toMatchObject({ type: 'error', error: { type: 'permission_error' } });
    },
  );

  const conversations = [
    ['/v3/chat/completions', { messages }],
    ['/v3/responses', { input: 'Hello' }],
    ['/v3/route', { messages }],
  ] as const;
  const choices = [
    ['a fallback', { model: EVERYWHERE, fallbacks: [EUROPEAN] }, 'fallbacks[0]'],
    ['a fallback of @router', { model: '@router', fallbacks: [EUROPEAN] }, 'fallbacks[0]'],
    [
      'a candidate',
      { model: '@router', router_candidates: [EVERYWHERE, EUROPEAN] },
      'router_candidates[1]',
    ],
  ] as const;
  it.each(choices)('refuses the whole call as %s', async (_, choice, param) => {
    for (const [path, conversation] of conversations) {
      const body = { ...choice, ...conversation };
      const { status, body: answer, calls } = await refused(american, path, body);
      expect([path, status, answer.error.param, calls]).toEqual([path, 451, param, 0]);
    }
    const message = { ...choice, max_tokens: 9, messages };
    const { status, calls } = await refused(american, '/v3/v1/messages', message);
    expect([status, calls]).toEqual([451, 0]);
  });

  it('is not served by its dated name either', async () => {
    const before = upstream.received.length;
    const id = `${EUROPEAN}-2024-07-18`;
    const ask = (key: string) =>
      gateway.ask('POST /v3/chat/completions', { model: id, messages }, { key });
    expect((await ask(american)).status).toBe(451);
    expect(upstream.received.length).toBe(before);
    expect((await ask(european)).status).toBe(200);
  });

  it('serves callers of the region', async () => {
    const path = 'POST /v3/chat/completions';
    const body = { model: EUROPEAN, messages };
    expect((await gateway.ask(path, body, { key: european })).status).toBe(200);
  });

  it.each([
    ['/v3/models', EUROPEAN],
    ['/v3/v1/models?limit=1000', EUROPEAN],
    ['/v3/images/models', 'openai/gpt-image-1-mini'],
    ['/v3/embeddings/models', 'openai/text-embedding-3-small'],
  ])('is not listed by %s', async (path, id) => {
    const listed = async (key: string): Promise<string[]> =>
      (await gateway.ask(`GET ${path}`, undefined, { key })).body.data.map(
        (model: { id: string }) => model.id,
      );
    expect(await listed(european)).toContain(id);
    expect(await listed(american)).not.toContain(id);
  });

  it.each([
    ['/v3/models', 'request_forbidden'],
    ['/v3/v1/models', 'permission_error'],
  ])('is 451 at %s/{id}', async (path, type) => {
    for (const id of [EUROPEAN, EUROPEAN.replace('/', '%2F'), 'openai/text-embedding-3-small']) {
      const ask = (key: string) => gateway.ask(`GET ${path}/${id}`, undefined, { key });
      const { status, body } = await ask(american);
      expect([status, body.error.type]).toEqual([451, type]);
      expect((await ask(european)).status).toBe(200);
    }
  });

  it('is never what the router picks', async () => {
    upstream.replies(200, COMPLETION);
    const body = { model: '@router', messages };
    const answer = await gateway.ask('POST /v3/chat/completions', body, { key: american });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-causeway-model')).not.toMatch(/gpt-4o-mini$|only-in-europe/);
  });
});
