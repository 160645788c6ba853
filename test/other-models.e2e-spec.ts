import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, startAskedOn } from './support/admin.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { COMPLETION, MESSAGE, messageEvent } from './support/provider-answers.js';
import { SURFACES } from './support/surfaces.js';
import { until } from './support/until.js';
import { useGateway, useGatewayBefore, usualProviders } from './support/use-gateway.js';

const HAIKU = 'openrouter/anthropic/claude-haiku-4.5';
const HAIKU_ITSELF = 'anthropic/claude-haiku-4-5';
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
    ...SURFACES.map(([path, body]) => [path, { ...body, preset: 'big' }] as const),
    [CHAT, { messages, ...offered('openrouter:advisor') }],
    [CHAT, { messages, ...offered('openrouter:fusion') }],
    [CHAT, { messages, ...offered('openrouter:subagent') }],
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
    for (const others of [{ models: [DEAR] }, { preset: 'big' }]) {
      const { body: told } = await post(path, { ...body, ...others }).expect(400);
      expect(told.error.param).toBe(Object.keys(others)[0]);
    }
    expect(upstream.received).toEqual([]);
  });

  it.each(['openrouter/@preset/big', `${HAIKU}@preset/big`])(
    'is no model of the catalogue: %s',
    async (model) => {
      upstream.received.length = 0;
      for (const [path, body] of SURFACES) await post(path, { ...body, model }).expect(404);
      const fallbacks = [model];
      await post(CHAT, { model: HAIKU, messages, fallbacks }).expect(404);
      expect(upstream.received).toEqual([]);
    },
  );

  it('is passed over as a fallback, and sent on with what else OpenRouter knows', async () => {
    upstream.received.length = 0;
    upstream.replies(429, { error: { message: 'slow down' } }, { 'retry-after': '600' });
    const asked = { model: 'openai/gpt-4o', fallbacks: [HAIKU], messages, models: [DEAR] };
    await post(CHAT, asked).expect(429);
    expect(upstream.received).toHaveLength(1);
    upstream.replies(200, COMPLETION);
    const plugins = [{ id: 'web' }];
    await post(CHAT, { model: HAIKU, messages, plugins, models: [], preset: null }).expect(200);
    expect(upstream.last.body).toMatchObject({ plugins });
  });
});

describe('a field in other letters than the one that was checked', () => {
  const { upstream, post } = useGateway();
  const EMBEDDED = { model: 'openai/text-embedding-3-small', input: 'a' };
  const DRAWN = { model: 'openai/gpt-image-1-mini', prompt: 'a' };

  it.each([
    ...SURFACES.map(([path, body]) => [path, { model: 'openai/gpt-4o', ...body }] as const),
    ['/v3/v1/messages/count_tokens', { model: HAIKU_ITSELF, messages }],
    ['/v3/embeddings', EMBEDDED],
    ['/v3/images/generations', DRAWN],
    ['/v3/images/edits', { ...DRAWN, images: [{ image_url: 'data:image/png;base64,AAAA' }] }],
  ])('is refused before any call, as servers take it for that one: %s', async (path, body) => {
    upstream.received.length = 0;
    for (const field of ['Model', 'MODEL', 'mODEl']) {
      const { status, text } = await post(path, { ...body, [field]: 'dear' });
      expect([field, status]).toEqual([field, path.includes('/v1/') ? 422 : 400]);
      expect(text).toContain(field);
    }
    expect(upstream.received).toEqual([]);
  });

  it.each(['N', 'Max_Tokens', 'MAX_COMPLETION_TOKENS', '\u017ftream', 'max_to\u212aens'])(
    'is refused whatever it would change: %s',
    async (field) => {
      const asked = { model: 'openai/gpt-4o', messages, [field]: 1 };
      const { body } = await post(CHAT, asked).expect(400);
      expect(body.error).toMatchObject({ code: 'unsupported_parameter', param: field });
    },
  );

  it('goes on where no field is meant', async () => {
    upstream.replies(200, COMPLETION);
    const own = { Models: 1, modeL_: 2, top_K: 3 };
    await post(CHAT, { model: 'openai/gpt-4o', messages, ...own }).expect(200);
    expect(upstream.last.body).toMatchObject(own);
  });
});

const ROWS = `
models:
  anthropic/claude-opus-4-1: { regions: [eu] }
  anthropic/claude-opus-4-5: { enabled: false }
`;
const ADVISOR = { type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-8' };
const TWICE = { model: HAIKU_ITSELF, max_tokens: 9, messages, tools: [ADVISOR, ADVISOR] };

describe('a model that asks another one for advice', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let key: string;
  beforeAll(async () => {
    await upstream.listen();
    const folder = await mkdtemp(join(tmpdir(), 'causeway-advisors-'));
    const path = join(folder, 'models.yaml');
    await writeFile(path, ROWS);
    gateway = await startAskedOn({ ...usualProviders(upstream.url), MODELS_FILE: path });
    const accounts = 'POST /v3/admin/accounts';
    const account = { name: 'small', region: 'us', credits: 0.2 };
    const { id } = (await gateway.ask(accounts, account)).body;
    key = (await gateway.ask(`${accounts}/${id}/keys`, { name: 'k' })).body.key;
  });
  afterAll(() => Promise.all([gateway.close(), upstream.close()]));

  const asked = (advisor: string, more: object = {}) => ({
    ...{ model: 'anthropic/claude-haiku-4-5', max_tokens: 100, messages },
    tools: [{ type: 'advisor_20260301', name: 'advisor', model: advisor, ...more }],
  });
  const ask = async (body: object, path = '/v3/v1/messages') => {
    upstream.received.length = 0;
    return gateway.ask(`POST ${path}`, body, { key });
  };

  it.each([
    [451, asked('claude-opus-4-1')],
    [451, { ...asked('claude-opus-4-1'), model: 'openai/gpt-4o', fallbacks: [HAIKU_ITSELF] }],
    [451, { ...asked('claude-opus-4-1'), model: '@router', router_candidates: [HAIKU_ITSELF] }],
    [400, TWICE],
  ])('is %d where the caller may not have that one: %j', async (status, body) => {
    for (const path of ['/v3/v1/messages', '/v3/v1/messages/count_tokens', CHAT, '/v3/route']) {
      expect([path, (await ask(body, path)).status]).toEqual([path, status]);
    }
    expect(upstream.received).toEqual([]);
  });

  /** The same by a tool that is on offer from a later turn on, or was before a summary. */
  const between = (advisor: string, more: object = {}) => {
    const { tools, ...rest } = asked(advisor, more);
    const addition = {
      type: 'tool_addition',
      tool: { type: 'tool_definition', definition: tools[0] },
    };
    const summary = { type: 'compaction', content: 'Earlier.', tool_changes: [addition] };
    const later = [...messages, { role: 'system', content: [addition] }];
    const earlier = [...messages, { role: 'assistant', content: [summary] }, ...messages];
    return [later, earlier].map((turns) => ({ ...rest, messages: turns }));
  };

  it('is looked at wherever in the conversation the tool is defined', async () => {
    for (const body of between('claude-opus-4-1')) {
      for (const path of ['/v3/v1/messages', '/v3/v1/messages/count_tokens', '/v3/route']) {
        expect([path, (await ask(body, path)).status]).toEqual([path, 451]);
      }
    }
    for (const body of between('claude-opus-4-8', { max_uses: 9, max_tokens: 4_000 })) {
      expect((await ask(body)).status).toBe(402);
    }
    expect(upstream.received).toEqual([]);
    upstream.replies(200, {
      ...MESSAGE,
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    for (const body of between('claude-opus-4-8', { max_uses: 1 })) {
      const again = { ...body, tools: asked('claude-opus-4-8').tools };
      for (const each of [body, again]) expect((await ask(each)).status).toBe(200);
      const other = { ...body, tools: asked('claude-opus-4-1').tools };
      expect((await ask(other)).status).toBe(400);
    }
  });

  it('is left out by @router, which says why', async () => {
    const { body } = await ask({ ...asked('claude-opus-4-1'), model: '@router' }, '/v3/route');
    const left = { model: HAIKU_ITSELF, dropped: 'region' };
    expect(body.candidates).toContainEqual(expect.objectContaining(left));
  });

  it.each(['claude-opus-4-5', 'claude-unheard-of'])(
    'is not asked where there is no %s, named or not',
    async (advisor) => {
      const routed = { ...asked(advisor), model: '@router', router_candidates: [HAIKU_ITSELF] };
      const fallen = { ...asked(advisor), model: 'openai/gpt-4o', fallbacks: [HAIKU_ITSELF] };
      for (const body of [routed, fallen, asked(advisor)]) {
        expect((await ask(body)).status).toBe(400);
      }
      expect((await ask(routed, CHAT)).status).toBe(400);
      expect(upstream.received).toEqual([]);
    },
  );

  it('takes no tool of another kind for it', async () => {
    upstream.replies(200, {
      ...MESSAGE,
      content: [],
      usage: { input_tokens: 1, output_tokens: 1 },
    });
    const { tools } = asked('claude-opus-4-8', { max_uses: 9, max_tokens: 4_000 });
    const decoy = {
      name: 'x',
      input_schema: { type: 'object' },
      model: 'claude-opus-4-8',
      max_uses: 0,
    };
    const dear = { ...asked('claude-opus-4-8'), tools: [decoy, ...tools] };
    expect((await ask(dear)).status).toBe(402);
    const odd = { ...dear, tools: [{ name: 'a', model: 'x', type: { toString: 1, valueOf: 1 } }] };
    for (const path of ['/v3/v1/messages', CHAT, '/v3/route']) {
      expect((await ask(odd, path)).status).toBeLessThan(500);
    }
  });

  it('costs what both have read and written, whole and streamed', async () => {
    const [text, used] = [
      { type: 'text', text: 'Hi' },
      { input_tokens: 100, output_tokens: 10 },
    ];
    const counts = { input_tokens: 1_000, output_tokens: 200 };
    const advice = { type: 'advisor_message', model: 'claude-opus-4-8-20260528', ...counts };
    const usage = { ...used, iterations: [{ type: 'message', ...used }, advice] };
    upstream.replies(200, { ...MESSAGE, content: [text], usage });
    const { status, headers, body } = await ask(asked('claude-opus-4-8', { max_uses: 1 }));
    // 100 × 1 + 10 × 5 + 1,000 × 5 + 200 × 25 = 10,150
    expect([status, headers.get('x-causeway-cost'), body.cost]).toEqual([200, '0.01015', 0.01015]);
    const { body: row } = await gateway.ask(
      `GET /v3/admin/requests/${headers.get('x-request-id')}`,
    );
    expect([row.input_tokens, row.output_tokens]).toEqual([1_100, 210]);
    const told = { delta: { stop_reason: 'end_turn' }, usage };
    upstream.streams(
      messageEvent('message_start', { message: { ...MESSAGE, content: [], usage: used } }),
      messageEvent('content_block_start', { index: 0, content_block: { ...text, text: '' } }),
      messageEvent('content_block_stop', { index: 0 }),
      messageEvent('message_delta', told) + messageEvent('message_stop'),
    );
    const stream = { ...asked('claude-opus-4-8', { max_uses: 1 }), stream: true };
    const reply = await gateway.begin('POST /v3/v1/messages', stream, { key });
    expect(await reply.text()).toContain('"cost":0.01015');
  });

  it('costs what was seen of the advice where the caller has left before the counts', async () => {
    const begun = { input_tokens: 100, cache_read_input_tokens: 900, output_tokens: 1 };
    const result = { type: 'advisor_tool_result', tool_use_id: 't' };
    const block = (content: object) =>
      messageEvent('content_block_start', { index: 0, content_block: { ...result, content } });
    const opened = upstream.opens(
      messageEvent('message_start', { message: { ...MESSAGE, content: [], usage: begun } }) +
        block({ type: 'advisor_result', text: 'Try'.repeat(100) }) +
        block({ type: 'advisor_redacted_result', encrypted_content: 'Hide'.repeat(100) }) +
        block({ type: 'advisor_tool_result_error', error_code: 'overloaded' }),
    );
    const caller = new AbortController();
    const { signal } = caller;
    const body = { ...asked('claude-opus-4-8', { max_uses: 2 }), stream: true };
    const reply = await gateway.begin('POST /v3/v1/messages', body, { key, signal });
    const reader = reply.body!.getReader();
    let seen = '';
    while (!seen.includes('overloaded')) {
      seen += Buffer.from((await reader.read()).value!).toString();
    }
    caller.abort();
    const path = `GET /v3/admin/requests/${reply.headers.get('x-request-id')}`;
    await until(async () => (await gateway.ask(path)).body.outcome === 'client_closed');
    const { body: row } = await gateway.ask(path);
    // 100 × 1 + 900 × 0.1 + 1 × 5, and twice 1,000 × 5 + 100 × 25
    expect(row).toMatchObject({ cost: 0.015195, estimated: true });
    expect([row.input_tokens, row.output_tokens]).toEqual([2_100, 201]);
    (await opened).destroy();
  });

  it('is not begun where the credit may not cover the advice', async () => {
    const { status } = await ask(asked('claude-opus-4-8', { max_uses: 9, max_tokens: 4_000 }));
    expect([status, upstream.received]).toEqual([402, []]);
  });
});
