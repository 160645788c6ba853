import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServerResponse } from 'node:http';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Database } from '../src/database/database.service.js';
import { anthropic } from '../src/providers/anthropic/anthropic.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { creditOf, expectBalanced } from './support/books.js';
import { fundedAccount, type FundedAccount } from './support/credit.js';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { startGateway } from './support/gateway.js';
import { startGatewayProcess } from './support/gateway-process.js';
import { until } from './support/until.js';

const HEDGE_MS = 100;
/** 100 × 1 USD a million tokens. */
const INPUT = 100_000_000n;
/** And 50 × 5 USD a million. */
const OUTPUT = 250_000_000n;
const CREDIT = 1_000_000_000_000n;

const messages = [{ role: 'user', content: 'Hello' }];
const text = (content: string) => ({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
});
const vectors = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [1] }],
  usage: { prompt_tokens: 100, total_tokens: 100 },
};

type Act = (response: ServerResponse) => unknown;
const says = (body: object, status = 200): Act => {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
};
const fails = (status: number) => says({ error: { message: `no ${status}` } }, status);
const hangs: Act = () => undefined;
const later = (ms: number, act: Act): Act => {
  return async (response) => {
    await new Promise((over) => setTimeout(over, ms));
    if (!response.closed) act(response);
  };
};

/** Waits until so many calls have come, and what they are answered at once has gone out. */
const when = (calls: number, act: Act): Act => {
  return async (response) => {
    await until(() => upstream.received.length >= calls);
    await later(50, act)(response);
  };
};

const upstream = new FakeUpstream();
/** What the calls are answered with, in their order; the last one for all that follow. */
let acts: Act[];

beforeAll(() => upstream.listen());
afterAll(() => upstream.close());
beforeEach(() => {
  upstream.received.length = 0;
  upstream.aborted = 0;
  upstream.answers((response) => void (acts.length > 1 ? acts.shift() : acts[0])?.(response));
});

/** Settings of a gateway with providers of two keys each, and of another one's usual models. */
async function settings(providers: readonly string[]) {
  const DATA_DIR = temporaryDirectory();
  const MODELS_FILE = join(DATA_DIR, 'models.yaml');
  const deployments = '[{ api_key_env: KEY_ONE, weight: 1000000 }, { api_key_env: KEY_TWO }]';
  const pricing = '{ input_cost_per_token: 0.000001, output_cost_per_token: 0.000005 }';
  const row = (endpoint: string) => `endpoints: [${endpoint}], pricing: ${pricing}`;
  const lines = [
    'providers:',
    ...providers.map(
      (name) =>
        `  ${name}: { format: openai, base_url: ${upstream.url}/${name}, deployments: ${deployments} }`,
    ),
    'models:',
    ...providers.flatMap((name) => [
      `  ${name}/chat: { ${row('messages')}, hedge_after_ms: ${HEDGE_MS} }`,
      `  ${name}/usual: { ${row('messages')} }`,
      `  ${name}/embedding: { ${row('embeddings')}, hedge_after_ms: ${HEDGE_MS} }`,
      `  ${name}/usual-embedding: { ${row('embeddings')} }`,
      `  ${name}/parts: { ${row('embeddings')}, capabilities: { max_input_items: 1 }, hedge_after_ms: ${HEDGE_MS} }`,
    ]),
  ];
  await writeFile(MODELS_FILE, lines.join('\n'));
  return {
    ...{ DATA_DIR, MODELS_FILE, KEY_ONE: 'one', KEY_TWO: 'two', BREAKER: 'on' },
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: upstream.url,
  };
}

describe('a hedged call', () => {
  /** One for each test, because a provider has one retry budget. */
  const providers = Array.from({ length: 40 }, (_, index) => `mine-${index}`);
  let mine: string;
  let gateway: Asked;
  let account: FundedAccount;

  beforeAll(async () => {
    gateway = await startAskedOn(await settings(providers));
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    mine = providers.pop() ?? '';
    account = await fundedAccount(gateway, CREDIT);
  });

  const ask = (path: string, body: object, key = account.key) =>
    gateway.ask(`POST /v3${path}`, body, { key });
  const chat = (more: object = {}) =>
    ask('/chat/completions', { model: `${mine}/chat`, messages, max_tokens: 100, ...more });
  const read = <T>(work: Parameters<Database['read']>[0]) =>
    gateway.app.get(Database).read(work) as Promise<T>;
  const keys = () => upstream.received.map(({ headers }) => headers.authorization);
  /** The only row, the only charge, and nothing held. */
  const booked = async (of = account) => {
    const rows = await read<any[]>((kysely) =>
      kysely.selectFrom('requests').selectAll().where('account_id', '=', of.id).execute(),
    );
    const charges = await read<any[]>((kysely) =>
      kysely
        .selectFrom('ledger')
        .selectAll()
        .where('account_id', '=', of.id)
        .where('type', '!=', 'grant')
        .execute(),
    );
    const credit = await creditOf({ database: gateway.app.get(Database) }, of.id);
    expectBalanced(credit);
    expect([rows.length, credit.held_units]).toEqual([1, 0n]);
    expect(charges.map(({ amount_units }) => amount_units)).toEqual(
      rows[0].cost_units > 0n ? [-rows[0].cost_units] : [],
    );
    return { ...rows[0], attempts: JSON.parse(rows[0].attempts) };
  };

  it.each([
    ['/chat/completions', { messages }],
    ['/v1/messages', { messages }],
    ['/responses', { input: 'Hello', max_output_tokens: 100, max_tokens: undefined }],
  ])('gets the second answer where the first is late: %s', async (path, body) => {
    acts = [hangs, says(text('second'))];
    const startedAt = performance.now();
    const reply = await ask(path, { model: `${mine}/chat`, max_tokens: 100, ...body });
    const ms = performance.now() - startedAt;
    expect([reply.status, JSON.stringify(reply.body)]).toEqual([
      200,
      expect.stringContaining('second'),
    ]);
    expect(ms).toBeGreaterThanOrEqual(HEDGE_MS);
    // The first one would take two minutes.
    expect(ms).toBeLessThan(30_000);
    await until(() => upstream.aborted === 1, { seconds: 1 });
    expect(keys()).toEqual(['Bearer one', 'Bearer two']);
    expect(reply.headers.get('x-causeway-attempts')).toBe(
      `${mine}/chat:cancelled, ${mine}/chat:ok`,
    );
    // The other one is paid what it was sent.
    expect(await booked()).toMatchObject({
      cost_units: 2n * INPUT + OUTPUT,
      input_tokens: 200,
      output_tokens: 50,
      estimated: 1,
      attempts: [
        { model: `${mine}/chat`, status: 0, cancelled: true },
        { model: `${mine}/chat`, status: 200 },
      ],
    });
    expect(reply.body.cost).toBe(0.00045);
    const { body: log } = await gateway.ask('GET /v3/admin/requests');
    expect(log.data[0].attempts[0]).toMatchObject({ status: 0, cancelled: true });
  });

  it('may be an embeddings request', async () => {
    acts = [hangs, says(vectors)];
    const { status, body } = await ask('/embeddings', {
      model: `${mine}/embedding`,
      input: 'Hello',
    });
    expect([status, body.usage.prompt_tokens]).toEqual([200, 100]);
    expect(await booked()).toMatchObject({ cost_units: 2n * INPUT, input_tokens: 200 });
    await until(() => upstream.aborted === 1, { seconds: 1 });
  });

  it('pays the one that was cut for the parts that it was sent', async () => {
    // So many run side by side, and the others were never sent.
    acts = [...Array<Act>(4).fill(hangs), ...Array<Act>(6).fill(says(vectors))];
    const input = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { status } = await ask('/embeddings', { model: `${mine}/parts`, input });
    expect([status, upstream.received.length]).toEqual([200, 10]);
    expect(await booked()).toMatchObject({ cost_units: 10n * INPUT, input_tokens: 1_000 });
  });

  it('may be an embeddings request that asks for it', async () => {
    const late = (routing: object) =>
      ask('/embeddings', { model: `${mine}/usual-embedding`, input: 'Hello', routing });
    acts = [hangs, says(vectors)];
    const { status, headers } = await late({ hedge_after_ms: HEDGE_MS });
    expect(status).toBe(200);
    const model = `${mine}/usual-embedding`;
    expect(headers.get('x-causeway-attempts')).toBe(`${model}:cancelled, ${model}:ok`);
    for (const { body } of upstream.received) expect(body).not.toHaveProperty('routing');
    const refused = await late({ quality_cost: 3 });
    expect([refused.status, refused.body.error.param]).toEqual([400, 'routing.quality_cost']);
  });

  it('gets the first answer where that still comes first', async () => {
    acts = [when(2, says(text('first'))), hangs];
    const { body, headers } = await chat();
    expect(body.choices[0].message.content).toBe('first');
    expect(headers.get('x-causeway-attempts')).toBe(`${mine}/chat:cancelled, ${mine}/chat:ok`);
    await until(() => upstream.aborted === 1, { seconds: 1 });
    expect(await booked()).toMatchObject({ cost_units: 2n * INPUT + OUTPUT });
  });

  it('is an ordinary one where the answer comes in time', async () => {
    acts = [says(text('first'))];
    const { headers } = await chat();
    expect(headers.get('x-causeway-attempts')).toBe(`${mine}/chat:ok`);
    expect(await booked()).toMatchObject({ cost_units: INPUT + OUTPUT, estimated: 0 });
    expect(upstream.received.length).toBe(1);
  });

  it('is tried again as ever where the first one fails in time', async () => {
    acts = [fails(503), says(text('again'))];
    const { headers } = await chat();
    expect(headers.get('x-causeway-attempts')).toBe(`${mine}/chat:503, ${mine}/chat:ok`);
    expect(await booked()).toMatchObject({ cost_units: INPUT + OUTPUT });
  });

  it('is none while the provider has asked for patience', async () => {
    const at: number[] = [];
    upstream.answers((response) => {
      at.push(performance.now());
      const status = at.length === 1 ? 503 : 200;
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '1' });
      const said = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }] };
      const usage = { input_tokens: 100, output_tokens: 50 };
      const answer = { id: 'm', model: 'x', ...said, stop_reason: 'end_turn', usage };
      response.end(JSON.stringify(status === 200 ? answer : { error: { message: 'busy' } }));
    });
    const routing = { hedge_after_ms: HEDGE_MS };
    const model = 'anthropic/claude-haiku-4-5';
    const { status } = await ask('/v1/messages', { model, messages, max_tokens: 100, routing });
    expect([status, at.length]).toEqual([200, 2]);
    // Timers may fire a millisecond early.
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(990);
  });

  it('is one where the provider had asked for patience, and is late again', async () => {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', stop_reason: null };
    const usage = { input_tokens: 100, output_tokens: 50 };
    acts = [
      (response) => response.writeHead(503, { 'retry-after': '1' }).end('{}'),
      hangs,
      says({ ...message, content: [{ type: 'text', text: 'second' }], usage }),
    ];
    const routing = { hedge_after_ms: HEDGE_MS };
    const model = 'anthropic/claude-haiku-4-5';
    const signal = AbortSignal.timeout(20_000);
    const body = { model, messages, max_tokens: 100, routing };
    const reply = await gateway.begin('POST /v3/v1/messages', body, { key: account.key, signal });
    expect(await reply.text()).toContain('second');
    const attempts = `${model}:503, ${model}:cancelled, ${model}:ok`;
    expect(reply.headers.get('x-causeway-attempts')).toBe(attempts);
    expect(await booked()).toMatchObject({ cost_units: 2n * INPUT + OUTPUT, estimated: 1 });
    await until(() => upstream.aborted === 1, { seconds: 1 });
  });

  it('gets the first answer where the second fails, which costs nothing', async () => {
    acts = [when(2, says(text('first'))), fails(500)];
    const { body, headers } = await chat();
    expect(body.choices[0].message.content).toBe('first');
    expect(headers.get('x-causeway-attempts')).toBe(`${mine}/chat:500, ${mine}/chat:ok`);
    expect(await booked()).toMatchObject({ cost_units: INPUT + OUTPUT, estimated: 0 });
  });

  it('gets the second answer where the first fails late, which costs nothing', async () => {
    acts = [when(2, fails(500)), when(2, later(200, says(text('second'))))];
    const { body } = await chat();
    expect(body.choices[0].message.content).toBe('second');
    expect(await booked()).toMatchObject({ cost_units: INPUT + OUTPUT });
  });

  it('fails as the first one where both fail, costs nothing, and goes to a fallback', async () => {
    acts = [when(2, fails(500)), fails(400)];
    expect((await chat()).status).toBe(502);
    expect(await booked()).toMatchObject({ cost_units: 0n, outcome: 'error', status: 502 });
    acts = [when(2, fails(500)), fails(500), says(text('other'))];
    upstream.received.length = 0;
    const { headers } = await chat({ fallbacks: [`${mine}/usual`] });
    expect(headers.get('x-causeway-model')).toBe(`${mine}/usual`);
  });

  const refused = () => `${mine}/chat:400, ${mine}/chat:cancelled`;

  it('ends when the request is refused, whatever the second call does, and costs nothing', async () => {
    acts = [when(2, fails(400)), hangs];
    const { status, headers } = await chat();
    expect(status).toBe(400);
    await until(() => upstream.aborted === 1);
    expect(headers.get('x-causeway-attempts')).toBe(refused());
    expect(await booked()).toMatchObject({ cost_units: 0n, outcome: 'error', status: 400 });
  });

  it('goes to a fallback when the request is refused, which alone is paid', async () => {
    acts = [when(2, fails(400)), hangs, says(text('other'))];
    const { headers } = await chat({ fallbacks: [`${mine}/usual`] });
    const attempts = `${refused()}, ${mine}/usual:ok`;
    expect(headers.get('x-causeway-attempts')).toBe(attempts);
    expect(await booked()).toMatchObject({ cost_units: INPUT + OUTPUT, estimated: 0 });
  });

  it('costs nothing where neither answer can be translated', async () => {
    const deep = '{"1":'.repeat(20_000) + '1' + '}'.repeat(20_000);
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: deep } };
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const answer = says({ ...text(''), choices: [{ index: 0, message }] });
    acts = [when(2, answer), answer];
    const body = { model: `${mine}/chat`, messages, max_tokens: 100 };
    expect((await ask('/v1/messages', body)).status).toBe(502);
    expect(await booked()).toMatchObject({ cost_units: 0n, outcome: 'error', status: 502 });
  });

  it('is a single one where the credit is not enough for two', async () => {
    const most = (await held()) + 1n;
    const poor = await fundedAccount(gateway, most);
    acts = [later(400, says(text('first')))];
    const body = { model: `${mine}/chat`, messages, max_tokens: 100 };
    const reply = await ask('/chat/completions', body, poor.key);
    expect([reply.status, upstream.received.length]).toEqual([200, 1]);
    expect(await booked(poor)).toMatchObject({ cost_units: INPUT + OUTPUT, estimated: 0 });
  });

  it('takes no retry from others where it is not made', async () => {
    const most = await held();
    for (let index = 0; index < 6; index++) {
      const poor = await fundedAccount(gateway, most);
      acts = [later(200, says(text('first')))];
      const body = { model: `${mine}/chat`, messages, max_tokens: 100 };
      expect((await ask('/chat/completions', body, poor.key)).status).toBe(200);
    }
    acts = [fails(503), says(text('again'))];
    expect((await chat()).status).toBe(200);
  });

  /** What is set aside for one call; both are released afterwards. */
  async function held(): Promise<bigint> {
    const answered = Promise.withResolvers<undefined>();
    acts = [later(0, async (response) => (await answered.promise, says(text('x'))(response)))];
    const call = chat();
    const credit = () => creditOf({ database: gateway.app.get(Database) }, account.id);
    await until(() => upstream.received.length === 1);
    const { held_units: one } = await credit();
    await until(() => upstream.received.length === 2);
    expect((await credit()).held_units).toBe(2n * one);
    answered.resolve(undefined);
    await call;
    expect((await credit()).held_units).toBe(0n);
    upstream.received.length = 0;
    return one;
  }

  it('is cut on both sides when the caller hangs up, who pays for what both were sent', async () => {
    acts = [hangs];
    const leaving = new AbortController();
    const call = gateway.begin(
      'POST /v3/chat/completions',
      { model: `${mine}/chat`, messages, max_tokens: 100 },
      { key: account.key, signal: leaving.signal },
    );
    await until(() => upstream.received.length === 2);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(() => upstream.aborted === 2, { seconds: 1 });
    await until(async () => (await booked()).outcome === 'client_closed');
    const row = await booked();
    expect(row).toMatchObject({ status: 499, output_tokens: 0, estimated: 1 });
    expect(row.cost_units).toBe(BigInt(row.input_tokens) * 1_000_000n);
    expect(row.input_tokens % 2).toBe(0);
    expect(row.attempts).toHaveLength(2);
  });

  it('is what the caller says, before what the model’s row says', async () => {
    acts = [later(300, says(text('x')))];
    await chat({ routing: { hedge_after_ms: 10_000 } });
    expect(upstream.received.length).toBe(1);
    acts = [when(3, says(text('x')))];
    await chat({ model: `${mine}/usual`, routing: { hedge_after_ms: 100 } });
    expect(upstream.received.length).toBe(3);
    expect(upstream.last.body).toEqual({ model: 'usual', messages, max_tokens: 100 });
    const { status } = await chat({ routing: { hedge_after_ms: 49 } });
    expect([status, upstream.received.length]).toEqual([400, 3]);
  });

  it.each([
    ['streamed', { stream: true }],
    ['of another model', { model: 'usual' }],
    ['long', { max_tokens: 1_025 }],
    ['long by the higher of its bounds', { max_tokens: 100, max_completion_tokens: 1_025 }],
    ['of unknown length', { max_tokens: undefined }],
    ['asked several times', { max_tokens: 600, n: 2 }],
  ])('is none that is %s', async (_, more) => {
    acts = [later(300, says(text('x')))];
    await chat({ ...more, ...('model' in more && { model: `${mine}/${more.model}` }) });
    expect(upstream.received.length).toBe(1);
  });

  it('takes at most a tenth of the requests and four', async () => {
    acts = [later(150, says(text('x')))];
    const replies = await Promise.all(Array.from({ length: 30 }, () => chat()));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(upstream.received.length).toBeGreaterThan(30);
    expect(upstream.received.length).toBeLessThanOrEqual(30 + 3 + 4);
  });

  it('is none when the model fails too often by then', async () => {
    acts = [later(2_300, says(text('first'))), fails(500)];
    const slow = chat({ routing: { hedge_after_ms: 2_000 } });
    await until(() => upstream.received.length === 1);
    // By way of both keys: what one of them does is not the model's.
    await until(async () => {
      const { headers } = await chat({ routing: { hedge_after_ms: 60_000 } });
      return headers.get('x-causeway-attempts') === `${mine}/chat:circuit_open`;
    });
    const made = upstream.received.length;
    expect((await slow).status).toBe(200);
    expect(upstream.received.length).toBe(made);
  });

  it('leaves the other one to a provider that works on, and pays for it as much', async () => {
    const usual = anthropic.onDisconnect;
    Object.assign(anthropic, { onDisconnect: 'drain' });
    const usage = { input_tokens: 100, output_tokens: 50 };
    const message = { id: 'm', type: 'message', role: 'assistant', content: [], usage };
    acts = [hangs, says(message)];
    const model = 'anthropic/claude-haiku-4-5';
    const routing = { hedge_after_ms: 100 };
    await ask('/v1/messages', { model, messages, max_tokens: 100, routing });
    Object.assign(anthropic, { onDisconnect: usual });
    expect(await booked()).toMatchObject({ cost_units: 2n * (INPUT + OUTPUT), output_tokens: 100 });
    // Nothing that it could still say would be booked.
    await until(() => upstream.aborted === 1, { seconds: 1 });
  });
});

describe('hedge_after_ms of MODELS_FILE', () => {
  it.each([
    ['49', 'a whole number, 50 or more'],
    ['60001', 'at most 60000'],
  ])('stops the start when it is %s', async (ms, problem) => {
    const { MODELS_FILE = '', ...env } = await settings([]);
    await writeFile(MODELS_FILE, `models: { openai/gpt-4o: { hedge_after_ms: ${ms} } }`);
    await expect(startGateway({ ...env, MODELS_FILE })).rejects.toThrow(problem);
  });
});

it('a process that is killed between the two sides leaves nothing held', async () => {
  const env: Record<string, string> & { DATA_DIR: string } = {
    ...(await settings(['mine'])),
    CAUSEWAY_ADMIN_KEY: 'cw_admin_test-key-0123456789abcdef',
    RECONCILE_AFTER_S: '1',
    LOG_LEVEL: 'error',
  };
  const before = await startAskedOn(env);
  const account = await fundedAccount(before, CREDIT);
  before.app.getHttpServer().closeAllConnections();
  await before.app.close();

  acts = [hangs];
  const killed = await startGatewayProcess(env);
  const call = fetch(`${killed.url}/v3/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mine/chat', messages, max_tokens: 100 }),
  }).catch(() => undefined);
  await until(() => upstream.received.length === 2);
  await killed.kill();
  await call;

  const after = await startAskedOn(env);
  const credit = () => creditOf({ database: after.app.get(Database) }, account.id);
  expect((await credit()).held_units).toBeGreaterThan(0n);
  await until(async () => (await credit()).held_units === 0n);
  expectBalanced(await credit());
  await after.close();
}, 60_000);
