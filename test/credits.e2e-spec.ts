import { afterEach, expect, it } from '@jest/globals';
import { request as httpRequest } from 'node:http';
import { creditOf, expectBalanced } from './support/books.js';
import { countStatuses, fundedAccount, type FundedAccount, send } from './support/credit.js';
import { describeEveryEngine } from './support/databases.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { type RunningGateway, startGateway } from './support/gateway.js';
import { MESSAGE } from './support/provider-answers.js';
import { until } from './support/until.js';
import { Database } from '../src/database/database.service.js';
import { requestRows } from './support/request-rows.js';

/** 0.01 USD an image of `sandbox/image`, for which nothing else is charged. */
const IMAGE_UNITS = 10_000_000_000n;
const image = { model: 'sandbox/image', prompt: 'x', size: '16x16' };

const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function gateways(settings: object, count: number, env: Record<string, string> = {}) {
  const started: RunningGateway[] = [];
  for (let index = 0; index < count; index += 1) {
    const gateway = await startGateway({ ...env, ...settings });
    running.push(gateway);
    started.push(gateway);
  }
  return started as [RunningGateway, ...RunningGateway[]];
}

/** A gateway in front of a provider that costs, and an account with 1 USD. */
async function paying(settings: object) {
  const upstream = new FakeUpstream();
  await upstream.listen();
  running.push(upstream);
  const [gateway] = await gateways(settings, 1, {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: upstream.url,
  });
  return { upstream, gateway, account: await fundedAccount(gateway, 1_000_000_000_000n) };
}

const creditIn = ({ app }: RunningGateway, { id }: FundedAccount) =>
  creditOf({ database: app.get(Database) }, id);

describeEveryEngine('Credits', ({ fresh }) => {
  it.each([1, 2])(
    'for exactly 100 of 1,000 parallel calls pay for exactly those, over %i gateways',
    async (count) => {
      const all = await gateways(await fresh(), count);
      const account = await fundedAccount(all[0], 100n * IMAGE_UNITS);
      const replies = await Promise.all(
        Array.from({ length: 1_000 }, (_, index) =>
          send(all[index % count]!.url, {
            path: '/v3/images/generations',
            key: account.key,
            body: image,
            // Of the same name: a charge is told from another by an id of our own.
            id: 'same',
          }),
        ),
      );
      expect(countStatuses(replies)).toEqual({ 200: 100, 402: 900 });
      const refused = replies.find(({ status }) => status === 402)!;
      expect(JSON.parse(refused.text).error).toMatchObject({
        type: 'insufficient_quota',
        code: 'insufficient_credits',
      });
      const credit = await creditIn(all[0], account);
      expect(credit).toMatchObject({
        balance_units: 0n,
        held_units: 0n,
        spent_units: 100n * IMAGE_UNITS,
        ledger_units: 0n,
      });
      expectBalanced(credit);
    },
  );

  /** What a machine that is too busy to hold in time refuses (503) is sent again, as SDKs do. */
  const admitted = async (...call: Parameters<typeof send>) => {
    let reply = await send(...call);
    while (reply.status === 503) reply = await send(...call);
    return reply;
  };

  it('are never overspent by streams of mixed cost over 2 gateways', async () => {
    const all = await gateways(await fresh(), 2);
    const account = await fundedAccount(all[0], 20_000_000_000n);
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        admitted(all[index % 2]!.url, {
          path: '/v3/v1/messages',
          key: account.key,
          body: {
            model: 'sandbox/echo',
            messages: [{ role: 'user', content: 'word '.repeat(1 + (index % 50)) }],
            max_tokens: 10 + (index % 90),
            stream: true,
          },
        }),
      ),
    );
    const { 200: served, 402: refused, ...others } = countStatuses(replies);
    expect([served! > 0, refused! > 0, others]).toEqual([true, true, {}]);
    const billed = replies
      .filter(({ status }) => status === 200)
      .map(({ text }) => /"cost":\s*([\d.e-]+)/.exec(text)?.[1])
      .reduce((sum, cost) => sum + BigInt(Math.round(Number(cost) * 1e12)), 0n);
    const credit = await creditIn(all[0], account);
    expect(credit).toMatchObject({ held_units: 0n, spent_units: billed });
    expectBalanced(credit);
    const type = JSON.parse(replies.find(({ status }) => status === 402)!.text).error.type;
    expect(type).toBe('billing_error');
  });

  it('are held before a provider is called, and a failed attempt costs nothing', async () => {
    const { upstream, gateway, account } = await paying(await fresh());
    const held: bigint[] = [];
    upstream.answers(async (response, { body }) => {
      held.push((await creditIn(gateway, account)).held_units);
      const failed = body.model === 'claude-sonnet-4-5';
      response.writeHead(failed ? 500 : 200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({
          ...{ id: 'm', type: 'message', role: 'assistant', content: [] },
          usage: { input_tokens: 100, output_tokens: 10 },
        }),
      );
    });
    const messages = [{ role: 'user', content: 'x' }];
    const body = {
      model: 'anthropic/claude-sonnet-4-5',
      fallbacks: ['anthropic/claude-haiku-4-5'],
      ...{ messages, max_tokens: 1_000 },
    };
    const reply = await send(gateway.url, { path: '/v3/v1/messages', key: account.key, body });
    expect(reply.status).toBe(200);
    // More than 1,000 tokens of output, at 15 and at 5 USD a million.
    expect(held.map((units) => units > 15_000_000_000n)).toEqual([true, false]);
    expect(held[1]).toBeGreaterThan(5_000_000_000n);
    const credit = await creditIn(gateway, account);
    // 100 × 1 + 10 × 5 USD a million tokens
    expect(credit).toMatchObject({ held_units: 0n, spent_units: 150_000_000n });
    expectBalanced(credit);

    const before = upstream.received.length;
    const dear = {
      ...body,
      fallbacks: [],
      max_tokens: 64_000,
      messages: [{ role: 'user', content: 'x'.repeat(900_000) }],
    };
    const refused = await send(gateway.url, {
      path: '/v3/v1/messages',
      key: account.key,
      body: dear,
    });
    expect(refused.status).toBe(402);
    expect(upstream.received).toHaveLength(before);
  });

  it('pass over a fallback that they do not cover', async () => {
    const { upstream, gateway, account } = await paying(await fresh());
    upstream.answers((response, { body }) => {
      const failed = body.model === 'claude-sonnet-4-5';
      response.writeHead(failed ? 500 : 200, { 'content-type': 'application/json' });
      const usage = { input_tokens: 100, output_tokens: 10 };
      response.end(JSON.stringify({ ...MESSAGE, usage }));
    });
    const body = {
      model: 'anthropic/claude-sonnet-4-5',
      // 16,000 tokens of the first one cost 1.20 USD.
      fallbacks: ['anthropic/claude-opus-4-1', 'anthropic/claude-haiku-4-5'],
      ...{ messages: [{ role: 'user', content: 'x' }], max_tokens: 16_000 },
    };
    const reply = await send(gateway.url, { path: '/v3/v1/messages', key: account.key, body });
    expect(reply.status).toBe(200);
    expect(upstream.received.map(({ body: sent }) => sent.model)).toEqual([
      'claude-sonnet-4-5',
      'claude-haiku-4-5',
    ]);
    const credit = await creditIn(gateway, account);
    expect(credit).toMatchObject({ held_units: 0n, spent_units: 150_000_000n });
    expectBalanced(credit);
  });

  it('let a model be asked again before a fallback that they do not cover', async () => {
    const { upstream, gateway, account } = await paying(await fresh());
    let statuses = [429, 200];
    upstream.answers((response) => {
      response.writeHead(statuses.shift() ?? 500, { 'content-type': 'application/json' });
      response.end(JSON.stringify(MESSAGE));
    });
    const ask = (fallbacks?: string[]) =>
      send(gateway.url, {
        path: '/v3/v1/messages',
        key: account.key,
        body: {
          ...{ model: 'anthropic/claude-sonnet-4-5', fallbacks, max_tokens: 16_000 },
          messages: [{ role: 'user', content: 'x' }],
        },
      });
    expect((await ask(['anthropic/claude-opus-4-1'])).status).toBe(200);
    statuses = [429, 200];
    expect((await ask(['anthropic/claude-opus-4-1', 'anthropic/claude-haiku-4-5'])).status).toBe(
      200,
    );
    expect(upstream.received.map(({ body: sent }) => sent.model)).toEqual([
      'claude-sonnet-4-5',
      'claude-sonnet-4-5',
      'claude-sonnet-4-5',
      'claude-haiku-4-5',
    ]);
    // What the one said that was asked tells more than that the other one is too dear.
    statuses = [500];
    expect((await ask(['anthropic/claude-opus-4-1'])).status).toBe(502);
    expect(await creditIn(gateway, account)).toMatchObject({ held_units: 0n });
  });

  it('are released within 2 s when the caller hangs up, for what was sent and seen', async () => {
    const { upstream, gateway, account } = await paying(await fresh());
    upstream.answers(() => undefined);
    const caller = httpRequest(`${gateway.url}/v3/v1/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.key}`,
        'content-type': 'application/json',
        'x-request-id': 'left',
      },
    });
    caller.on('error', () => undefined);
    const messages = [{ role: 'user', content: 'x'.repeat(300) }];
    caller.end(JSON.stringify({ model: 'anthropic/claude-haiku-4-5', messages, max_tokens: 10 }));
    await until(() => upstream.received.length === 1);
    expect((await creditIn(gateway, account)).held_units).toBeGreaterThan(0n);
    caller.destroy();
    await until(async () => (await creditIn(gateway, account)).held_units === 0n, { seconds: 2 });
    const rows = await requestRows(gateway, 'left');
    expect(rows).toMatchObject([{ outcome: 'client_closed', output_tokens: 0, estimated: 1 }]);
    // About 100 tokens of input at 1 USD a million.
    expect(rows[0]!.cost_units).toBeGreaterThan(100_000_000n);
    expect(rows[0]!.cost_units).toBeLessThan(150_000_000n);
    expectBalanced(await creditIn(gateway, account));
  });

  it('are not what a key may spend: its own limit is counted with what is held', async () => {
    const [gateway] = await gateways(await fresh(), 1);
    const limit = { amount: 5n * IMAGE_UNITS, per: 'day' } as const;
    const account = await fundedAccount(gateway, undefined, limit);
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        send(gateway.url, { path: '/v3/images/generations', key: account.key, body: image }),
      ),
    );
    expect(countStatuses(replies)).toEqual({ 200: 5, 402: 15 });
    const refused = replies.find(({ status }) => status === 402)!;
    expect(JSON.parse(refused.text).error.code).toBe('spend_limit_reached');
  });
});
