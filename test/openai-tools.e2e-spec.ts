import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Asked, startAskedOn } from './support/admin.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { MESSAGE, messageEvent } from './support/provider-answers.js';
import { until } from './support/until.js';
import { usualProviders } from './support/use-gateway.js';

const GPT = 'openai/gpt-4o';
const AZURE = 'azure-openai/gpt-4.1';
const HAIKU = 'anthropic/claude-haiku-4-5';
const RESPONSES = '/v3/responses';
const ROWS = `
models:
  openai/gpt-image-1.5: { regions: [eu] }
  openai/gpt-image-1-mini: { enabled: false }
`;

const message = { id: 'm', type: 'message', role: 'assistant', content: [] };
/** At 2.5 and 10 a million tokens: 0.0035 */
const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 };
const response = (items: readonly object[], more: object = {}) => ({
  ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-4o', usage },
  ...{ output: [...items, message], ...more },
});
const picture = { type: 'image_generation_call', id: 'ig', status: 'completed', result: 'AAAA' };
const image_gen = {
  ...{ input_tokens: 7_918, input_tokens_details: { image_tokens: 7_620, text_tokens: 298 } },
  cached_tokens_details: { cached_image_tokens: 620, cached_text_tokens: 98 },
  ...{ output_tokens: 186, output_tokens_details: { image_tokens: 186, text_tokens: 0 } },
};
const NOTHING_DRAWN = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };

const draws = (more: object = {}) => ({ type: 'image_generation', ...more });
const runs = (more: object = {}) => ({
  type: 'code_interpreter',
  container: { type: 'auto', ...more },
});
const looks = { type: 'file_search', vector_store_ids: ['vs_1'] };

const upstream = new FakeUpstream();
let gateway: Asked;
let key: string;
let narrow: string;
let rich: string;
let played: string;
beforeAll(async () => {
  await upstream.listen();
  const path = join(await mkdtemp(join(tmpdir(), 'causeway-tools-')), 'models.yaml');
  await writeFile(path, ROWS);
  gateway = await startAskedOn({
    ...usualProviders(upstream.url),
    ...{ AZURE_OPENAI_API_KEY: 'a', AZURE_OPENAI_BASE_URL: `${upstream.url}/azure/openai/v1` },
    MODELS_FILE: path,
  });
  const accounts = 'POST /v3/admin/accounts';
  const { id } = (await gateway.ask(accounts, { name: 's', region: 'us', credits: 1 })).body;
  const keys = `${accounts}/${id}/keys`;
  key = (await gateway.ask(keys, { name: 'k' })).body.key;
  narrow = (await gateway.ask(keys, { name: 'n', models: [GPT, HAIKU] })).body.key;
  const { body: other } = await gateway.ask(accounts, { name: 'r', region: 'us' });
  rich = (await gateway.ask(`${accounts}/${other.id}/keys`, { name: 'r' })).body.key;
  played = (await gateway.ask(keys, { name: 's', type: 'sandbox' })).body.key;
});
afterAll(() => Promise.all([gateway.close(), upstream.close()]));

const asked = (tools: readonly unknown[], more: object = {}) => ({
  ...{ model: GPT, max_output_tokens: 100, input: 'Draw', tools, ...more },
});
const ask = async (body: object, path = RESPONSES, as = key) => {
  upstream.received.length = 0;
  return gateway.ask(`POST ${path}`, body, { key: as });
};

describe('a tool of OpenAI’s that makes pictures', () => {
  const EU = draws({ model: 'gpt-image-1.5' });
  const input = [
    { role: 'user', content: 'Draw' },
    { type: 'additional_tools', role: 'developer', tools: [EU] },
  ];
  it.each([
    asked([EU]),
    asked([], { input }),
    asked([EU], { model: HAIKU, fallbacks: [GPT] }),
    asked([EU], { model: '@router', router_candidates: [GPT] }),
  ])('is 451 where its model is not there for the caller’s region: %j', async (body) => {
    for (const more of [{}, { stream: true }]) {
      expect((await ask({ ...body, ...more })).status).toBe(451);
    }
    const { status, body: told } = await ask(body, '/v3/route');
    expect([status, told.error.param]).toEqual([451, expect.stringMatching(/\.model$/)]);
    expect(upstream.received).toEqual([]);
  });

  it('is left out by @router, which says why', async () => {
    const { body } = await ask(asked([EU], { model: '@router' }), '/v3/route');
    const left = { model: GPT, dropped: 'region' };
    expect(body.candidates).toContainEqual(expect.objectContaining(left));
    expect(body.candidates).toContainEqual(expect.objectContaining({ model: HAIKU }));
    expect(body.candidates).not.toContainEqual({ ...left, model: HAIKU });
  });

  it.each(['gpt-image-1-mini', 'gpt-image-none'])(
    'is not planned with a model that is switched off or unknown: %s',
    async (model) => {
      const tools = [draws({ model }), { type: 'function', name: 'f', parameters: {} }];
      const { body: routed } = await ask(asked(tools, { model: '@router' }), '/v3/route');
      const left = { model: GPT, dropped: 'disabled' };
      expect(routed.candidates).toContainEqual(expect.objectContaining(left));
      expect(routed.plan).toContainEqual(expect.stringMatching(/^anthropic/));
      expect(routed.plan).not.toContainEqual(expect.stringMatching(/^openai/));
      const both = { model: '@router', router_candidates: [GPT, HAIKU] };
      for (const more of [{ fallbacks: [HAIKU] }, both]) {
        const { body } = await ask(asked(tools, more), '/v3/route');
        expect([body.model, body.plan]).toEqual([HAIKU, [HAIKU]]);
      }
      for (const more of [{}, { model: '@router', router_candidates: [GPT] }]) {
        const called = await ask(asked(tools, more));
        const planned = await ask(asked(tools, more), '/v3/route');
        expect([called.status, called.body.error.param]).toEqual([400, 'tools[0].model']);
        expect([planned.status, planned.body.error]).toEqual([400, called.body.error]);
      }
      for (const path of [RESPONSES, '/v3/route']) {
        expect((await ask(asked(tools), path, played)).status).toBe(200);
      }
    },
  );

  it('needs its model to be one of the key’s, also where it names none', async () => {
    for (const tool of [draws(), draws({ model: null }), draws({ model: 'gpt-image-2' })]) {
      const { status, body } = await ask(asked([tool]), RESPONSES, narrow);
      expect([status, body.error.code]).toEqual([403, 'model_not_allowed']);
    }
    expect(upstream.received).toEqual([]);
  });

  it.each([
    [draws({ model: 'gpt-image-1-mini' }), 'tools[0].model'],
    [draws({ model: 'chatgpt-image-latest' }), 'tools[0].model'],
    [draws({ output_format: 'svg' }), 'tools[0].output_format'],
  ])('is refused where nobody knows what it costs: %j', async (tool, param) => {
    const routed = { model: '@router', router_candidates: [GPT] };
    for (const more of [{}, { stream: true }, routed]) {
      const { status, body } = await ask(asked([tool], more));
      expect([status, body.error.param]).toEqual([400, param]);
    }
    expect(upstream.received).toEqual([]);
  });

  it('has one model, as often as it is on offer', async () => {
    const again = [
      { role: 'user', content: 'Draw' },
      { ...input[1], tools: [draws()] },
    ];
    const other = asked([draws({ model: 'gpt-image-2.5-flare' })], { input: again });
    expect((await ask(other)).status).toBe(400);
    upstream.replies(200, response([]));
    const same = asked([draws({ quality: 'low' })], { input: again, max_tool_calls: 1 });
    expect((await ask(same)).status).toBe(200);
  });

  it('is held for by what it may make, and not begun where the credit may not cover that', async () => {
    upstream.replies(200, response([]));
    // 6 of 8,232 tokens at 30 a million
    expect((await ask(asked([draws()], { max_tool_calls: 6 }))).status).toBe(402);
    const film = draws({ output_format: 'gif', quality: 'medium', frame_count: 15 });
    expect((await ask(asked([film], { max_tool_calls: 1 }))).status).toBe(200);
    expect((await ask(asked([film]))).status).toBe(402);
    expect(upstream.received).toEqual([]);
    expect((await ask(asked([draws()]))).status).toBe(200);
  });

  it('costs what its model has read and drawn, whole and streamed', async () => {
    const answer = response([picture], { tool_usage: { image_gen } });
    upstream.replies(200, answer);
    const { status, headers, body } = await ask(asked([draws()]));
    // 200 × 5 + 98 × 1.25 + 7,000 × 8 + 620 × 2 + 186 × 30 = 63,942.5, and 3,500
    expect([status, headers.get('x-causeway-cost')]).toEqual([200, '0.0674425']);
    expect([body.cost, body.tool_usage]).toEqual([0.0674425, { image_gen }]);
    const { body: row } = await gateway.ask(
      `GET /v3/admin/requests/${headers.get('x-request-id')}`,
    );
    expect(row).toMatchObject({ images: 1, output_tokens: 286, estimated: false });
    upstream.streams(messageEvent('response.completed', { response: answer }));
    const stream = asked([draws()], { stream: true });
    const reply = await gateway.begin(`POST ${RESPONSES}`, stream, { key });
    expect(await reply.text()).toContain('"cost":0.0674425');
  });

  it.each([[{ image_gen: NOTHING_DRAWN }], [undefined]])(
    'costs what it may have drawn where nobody says: %j',
    async (tool_usage) => {
      upstream.replies(200, response([picture], { tool_usage }));
      const tool = draws({ size: '1024x1024', quality: 'low' });
      const { headers, body } = await ask(asked([tool]));
      // 196 × 30 = 5,880
      expect(body.cost).toBe(0.00938);
      const { body: row } = await gateway.ask(
        `GET /v3/admin/requests/${headers.get('x-request-id')}`,
      );
      expect(row.estimated).toBe(true);
      upstream.replies(200, response([{ ...picture, status: 'failed', result: null }]));
      expect((await ask(asked([tool]))).body.cost).toBe(0.0035);
    },
  );
});

describe('a deployment of Azure’s that makes pictures', () => {
  const HEADER = 'x-ms-oai-image-generation-deployment';

  it('is the one that was looked at', async () => {
    upstream.replies(200, response([]));
    const tools = [draws(), draws({ model: 'gpt-image-2' }), draws({ model: 'gpt-image-1-mini' })];
    for (const [index, tool] of tools.entries()) {
      const { status } = await ask(asked([tool], { model: AZURE }), RESPONSES, rich);
      const name = index < 2 ? 'gpt-image-2' : 'gpt-image-1-mini';
      expect([status, upstream.last.headers[HEADER]]).toEqual([200, name]);
    }
    expect((await ask(asked([looks], { model: AZURE }))).status).toBe(200);
    expect(upstream.last.headers).not.toHaveProperty(HEADER);
    expect((await ask(asked([draws()]), RESPONSES, rich)).status).toBe(200);
    expect(upstream.last.headers).not.toHaveProperty(HEADER);
  });

  it('may not be chosen by a header', async () => {
    const extra_headers = { [HEADER]: 'gpt-image-1.5' };
    const { status, body } = await ask(asked([draws()], { model: AZURE, extra_headers }));
    expect([status, body.error.param]).toEqual([400, 'extra_headers']);
    expect(upstream.received).toEqual([]);
  });
});

describe('tools of OpenAI’s that have a fee', () => {
  it('cost each search of files, and each container by its memory', async () => {
    const used = response([
      { type: 'file_search_call', id: 'f1' },
      { type: 'file_search_call', id: 'f2' },
      { type: 'code_interpreter_call', id: 'c1', container_id: 'cntr_1' },
      { type: 'code_interpreter_call', id: 'c2', container_id: 'cntr_1' },
      { type: 'shell_call', id: 's', environment: { type: 'x', container_id: 'cntr_2' } },
    ]);
    const shell = { type: 'shell', environment: { type: 'container_auto' } };
    const body = asked([looks, runs({ memory_limit: '4g' }), shell]);
    upstream.replies(200, used);
    // 2 × 0.0025 + 5 × 0.03, and 0.0035
    expect((await ask(body)).body.cost).toBe(0.1585);
    upstream.streams(messageEvent('response.completed', { response: used }));
    const stream = { ...body, stream: true };
    const reply = await gateway.begin(`POST ${RESPONSES}`, stream, { key });
    expect(await reply.text()).toContain('"cost":0.1585');
  });

  it('cost nothing where they are not used', async () => {
    upstream.replies(200, response([]));
    const local = [{ type: 'shell', environment: { type: 'local' } }, { type: 'local_shell' }];
    expect((await ask(asked([looks, runs(), ...local]))).body.cost).toBe(0.0035);
  });

  it('cost the searches of the web that OpenAI says it charges for', async () => {
    const search = { type: 'web_search_call', id: 'w', action: { type: 'search' } };
    const tool_usage = { image_gen: NOTHING_DRAWN, web_search: { num_requests: 2 } };
    upstream.replies(200, response([search], { tool_usage }));
    expect((await ask(asked([{ type: 'web_search' }]))).body.cost).toBe(0.0235);
  });

  it('are held for', async () => {
    upstream.replies(200, response([]));
    expect((await ask(asked([runs({ memory_limit: '64g' })]))).status).toBe(402);
    expect((await ask(asked([looks], { max_tool_calls: 500 }))).status).toBe(402);
    expect(upstream.received).toEqual([]);
    expect((await ask(asked([runs({ memory_limit: '4g' })]))).status).toBe(200);
  });

  const named = { type: 'shell', environment: { type: 'container_reference', container_id: 'c' } };
  it.each([
    [
      { ...runs(), container: 'cntr_1' },
      { type: 'code_interpreter_call', container_id: 'cntr_1' },
    ],
    [named, { type: 'shell_call', environment: { type: 'x', container_id: 'c' } }],
  ])('cost a container that was made before as one of the usual size: %j', async (tool, item) => {
    upstream.replies(200, response([item]));
    const { status, body } = await ask(asked([tool]));
    // 0.03, and 0.0035
    expect([status, body.cost]).toEqual([200, 0.0335]);
  });

  const did = [
    { ...picture, action: 'generate' },
    { type: 'file_search_call', id: 'f', results: null },
    { type: 'code_interpreter_call', id: 'c', container_id: 'cntr_1' },
    { type: 'shell_call', id: 's', environment: { container_id: 'cntr_2' } },
    { type: 'web_search_call', id: 'w', action: { type: 'search' } },
    { type: 'web_search_call', id: 'o', action: { type: 'open_page' } },
  ];
  const all = asked([
    ...[draws({ size: '1024x1024', quality: 'low' }), looks, { type: 'web_search' }],
    ...[runs(), { type: 'shell', environment: { type: 'container_auto' } }],
  ]);
  // 196 × 30, 0.0025, 2 × 0.03 and 0.01, beside the tokens
  const FEES = 0.07838;
  const rowOf = async (headers: Headers) => {
    const path = `GET /v3/admin/requests/${headers.get('x-request-id')}`;
    return (await gateway.ask(path)).body;
  };
  const streamed = (more: object = {}) =>
    gateway.begin(`POST ${RESPONSES}`, { ...all, stream: true }, { key: rich, ...more });
  const events = [
    messageEvent('response.created', { response: { model: 'x', output: [] } }),
    ...did.map((item) => messageEvent('response.output_item.done', { item })),
    messageEvent('response.output_item.done', { item: null }),
  ];

  it('cost as much where the caller has left before the end', async () => {
    const opened = upstream.opens(events.join(''));
    const caller = new AbortController();
    const { signal } = caller;
    const reply = await streamed({ signal });
    const reader = reply.body!.getReader();
    let seen = '';
    while (!seen.includes('open_page')) {
      seen += Buffer.from((await reader.read()).value!).toString();
    }
    caller.abort();
    await until(async () => (await rowOf(reply.headers)).outcome === 'client_closed');
    const row = await rowOf(reply.headers);
    expect(row).toMatchObject({ images: 1, estimated: true });
    expect(row.cost - (row.input_tokens * 2.5) / 1e6).toBeCloseTo(FEES, 9);
    (await opened).destroy();
  });

  it('cost nothing where the provider broke off and told no usage', async () => {
    upstream.streams(...events);
    const reply = await streamed();
    await reply.text();
    expect(await rowOf(reply.headers)).toMatchObject({ outcome: 'error', cost: 0 });
  });

  it.each([undefined, { input_tokens: -1, output_tokens: 1 }])(
    'cost as much in an answer without sound usage, whole and streamed: %j',
    async (wrong) => {
      const answer = response(did, { usage: wrong });
      upstream.replies(200, answer);
      const { headers, body } = await ask(all, RESPONSES, rich);
      const { input_tokens: input, output_tokens: output, estimated } = await rowOf(headers);
      const tokens = (input * 2.5 + (output - 196) * 10) / 1e6;
      expect([body.cost, estimated]).toEqual([expect.closeTo(tokens + FEES, 9), true]);
      upstream.streams(messageEvent('response.completed', { response: answer }));
      const whole = await streamed();
      await whole.text();
      expect((await rowOf(whole.headers)).cost).toBeCloseTo(body.cost, 9);
      upstream.streams(...events, messageEvent('response.completed', { response: {} }));
      const pieces = await streamed();
      await pieces.text();
      expect((await rowOf(pieces.headers)).cost).toBeCloseTo(body.cost, 9);
    },
  );

  it('cost the tokens alone where the provider’s fee is not known', async () => {
    upstream.replies(200, response([{ type: 'file_search_call', id: 'f' }]));
    const without = await ask(asked([], { model: AZURE }));
    const { status, body } = await ask(asked([looks, runs()], { model: AZURE }));
    expect([status, body.cost]).toEqual([200, without.body.cost]);
  });

  it('are nothing to a model that is not offered them', async () => {
    const counts = { input_tokens: 100, output_tokens: 10 };
    upstream.replies(200, {
      ...MESSAGE,
      content: [{ type: 'text', text: 'Hi' }],
      usage: counts,
    });
    const tools = [
      ...[draws({ model: 'gpt-image-1.5' }), draws({ output_format: 'svg' }), looks],
      ...[runs({ memory_limit: '64g' }), { ...runs(), container: 'cntr_1' }],
    ];
    for (const one of tools) {
      const { status, body } = await ask(asked([one], { model: HAIKU }), RESPONSES, narrow);
      expect([status, body.cost]).toEqual([200, 0.00015]);
      expect(upstream.last.body).not.toHaveProperty('tools');
    }
  });
});
