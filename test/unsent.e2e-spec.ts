import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Database } from '../src/database/database.service.js';
import { openai } from '../src/providers/openai/openai.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { creditOf, expectBalanced } from './support/books.js';
import { fundedAccount, type FundedAccount } from './support/credit.js';
import { temporaryDirectory } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { FullListener } from './support/full-listener.js';
import { until } from './support/until.js';

const CREDIT = 1_000_000_000_000n;
/** 100 × 1 + 50 × 5 USD a million tokens. */
const COST = 350_000_000n;
const TOTAL_MS = 6_000;
/** Long before any time limit. */
const AT_ONCE = { seconds: 4 };

const messages = [{ role: 'user', content: 'Hello' }];

describe('a call whose provider takes no connection', () => {
  const upstream = new FakeUpstream();
  let full: FullListener;
  let gateway: Asked;
  let account: FundedAccount;

  beforeAll(async () => {
    await upstream.listen();
    full = await FullListener.start();
    const DATA_DIR = temporaryDirectory();
    const MODELS_FILE = join(DATA_DIR, 'models.yaml');
    const [there = '', here = ''] = [full.url, upstream.url].map((url) => `base_url: ${url}/mine`);
    const pricing = '{ input_cost_per_token: 0.000001, output_cost_per_token: 0.000005 }';
    const lines = [
      'providers:',
      '  mine:',
      '    format: openai',
      `    ${here}`,
      '    deployments:',
      `      - { ${there}, api_key_env: KEY_ONE, weight: 1000000 }`,
      `      - { ${here}, api_key_env: KEY_TWO }`,
      'models:',
      `  mine/chat: { endpoints: [messages], pricing: ${pricing}, hedge_after_ms: 100 }`,
    ];
    await writeFile(MODELS_FILE, lines.join('\n'));
    gateway = await startAskedOn({
      ...{ DATA_DIR, MODELS_FILE, KEY_ONE: 'one', KEY_TWO: 'two' },
      ...{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${full.url}/v1` },
      UPSTREAM_CONNECT_TIMEOUT_MS: '20000',
      UPSTREAM_TOTAL_TIMEOUT_MS: String(TOTAL_MS),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    await full.close();
  });
  beforeEach(async () => {
    account = await fundedAccount(gateway, CREDIT);
  });

  const credit = () => creditOf({ database: gateway.app.get(Database) }, account.id);
  const rows = async () => {
    const found = await gateway.app
      .get(Database)
      .read((kysely) =>
        kysely.selectFrom('requests').selectAll().where('account_id', '=', account.id).execute(),
      );
    return found.map(({ attempts, ...row }) => ({ ...row, attempts: JSON.parse(attempts) }));
  };
  const chat = (body: object, signal?: AbortSignal) =>
    gateway.begin(
      'POST /v3/chat/completions',
      { messages, max_tokens: 100, ...body },
      { key: account.key, signal },
    );

  it.each([
    ['a whole answer', false, 'cancel'],
    ['a stream', true, 'cancel'],
    ['a provider that works on', false, 'drain'],
  ] as const)('costs nothing when its caller leaves: %s', async (_, stream, rule) => {
    const usual = openai.onDisconnect;
    Object.assign(openai, { onDisconnect: rule });
    const leaving = new AbortController();
    const call = chat({ model: 'openai/gpt-4o', stream }, leaving.signal);
    await until(async () => (await credit()).held_units > 0n);
    leaving.abort();
    await expect(call).rejects.toThrow();
    await until(async () => (await rows()).length === 1, AT_ONCE);
    expect(await rows()).toMatchObject([
      { status: 499, outcome: 'client_closed', cost_units: 0n, input_tokens: 0, estimated: 0 },
    ]);
    expect(await credit()).toMatchObject({ held_units: 0n, spent_units: 0n });
    expectBalanced(await credit());
    Object.assign(openai, { onDisconnect: usual });
  });

  it('costs nothing when another one was answered first', async () => {
    upstream.replies(200, {
      id: 'c',
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 50, total_tokens: 150 },
    });
    expect((await chat({ model: 'mine/chat' })).status).toBe(200);
    expect(upstream.last.headers.authorization).toBe('Bearer two');
    expect(await rows()).toMatchObject([
      { cost_units: COST, attempts: [{ status: 0, cancelled: true }, { status: 200 }] },
    ]);
    expect(await credit()).toMatchObject({ held_units: 0n, spent_units: COST });
  });

  it('fails when its time is over, and costs nothing', async () => {
    const reply = await chat({ model: 'openai/gpt-4o' });
    expect(reply.status).toBe(504);
    expect(await reply.json()).toMatchObject({ error: { code: 'upstream_timeout' } });
    expect(await rows()).toMatchObject([{ status: 504, cost_units: 0n }]);
    expect(await credit()).toMatchObject({ held_units: 0n, spent_units: 0n });
  });
});

describe('a long request that its provider has not taken whole', () => {
  /** Far more than fits between two sockets. */
  const url = `data:image/png;base64,${'A'.repeat(12_000_000)}`;
  const content = [{ type: 'image_url', image_url: { url } }];
  const connections: Socket[] = [];
  const provider = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.pause();
      connections.push(socket);
    });
  });
  let gateway: Asked;
  let account: FundedAccount;

  beforeAll(async () => {
    await once(provider.listen(0, '127.0.0.1'), 'listening');
    gateway = await startAskedOn({
      DATA_DIR: temporaryDirectory(),
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`,
    });
    account = await fundedAccount(gateway, CREDIT);
  });
  afterAll(async () => {
    for (const connection of connections) connection.destroy();
    await gateway.close();
    await once(provider.close(), 'close');
  });

  it.each(['cancel', 'drain'] as const)(
    'costs nothing when its caller leaves (%s)',
    async (rule) => {
      const usual = openai.onDisconnect;
      Object.assign(openai, { onDisconnect: rule });
      const before = connections.length;
      const leaving = new AbortController();
      const id = `left-a-provider-to-${rule}`;
      const call = gateway.begin(
        'POST /v3/chat/completions',
        { model: 'openai/gpt-4o', max_tokens: 100, messages: [{ role: 'user', content }] },
        { key: account.key, signal: leaving.signal, headers: { 'x-request-id': id } },
      );
      await until(() => connections.length > before);
      leaving.abort();
      await expect(call).rejects.toThrow();
      const row = async () => (await gateway.ask(`GET /v3/admin/requests/${id}`)).body;
      await until(async () => (await row()).outcome !== undefined, AT_ONCE);
      expect(await row()).toMatchObject({ outcome: 'client_closed', cost: 0, input_tokens: 0 });
      const [connection] = connections.slice(before);
      connection?.resume();
      await until(() => connection?.closed === true, AT_ONCE);
      expect(connection?.bytesRead).toBeLessThan(url.length);
      const credit = await creditOf({ database: gateway.app.get(Database) }, account.id);
      expect(credit).toMatchObject({ held_units: 0n, spent_units: 0n });
      Object.assign(openai, { onDisconnect: usual });
    },
  );
});
