import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unitsOfUsd } from '../src/contract/money.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { fundedAccount } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { until } from './support/until.js';
import { usualProviders } from './support/use-gateway.js';

const GPT = 'openai/gpt-5.4';
/** At 2.5 and 15 a million tokens: 0.0025 + 0.0015 */
const LISTED = 0.004;
const CLAUDE = 'anthropic/claude-opus-4-8';
const CHAT = '/v3/chat/completions';
const RESPONSES = '/v3/responses';

const chatUsage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 };
const usage = { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 };
const message = { id: 'm', type: 'message', role: 'assistant', content: [] };
const dataOf = (event: object) => `data: ${JSON.stringify(event)}\n\n`;

const upstream = new FakeUpstream();
let gateway: Asked;
let account: string;
let key: string;
beforeAll(async () => {
  await upstream.listen();
  gateway = await startAskedOn(usualProviders(upstream.url));
  ({ id: account, key } = await fundedAccount(gateway, unitsOfUsd(1)));
});
afterAll(() => Promise.all([gateway.close(), upstream.close()]));

/** The upstream answers whole or as a stream, as it is asked, in that tier. */
function answersIn(service_tier: string): void {
  upstream.answers((response, { path, body }) => {
    const isChat = path.endsWith('/chat/completions');
    const choice = { index: 0, finish_reason: 'stop' };
    const chunk = { id: 'c', object: 'chat.completion.chunk', service_tier };
    const said = { role: 'assistant', content: 'Hi' };
    const completion = { ...chunk, object: 'chat.completion', usage: chatUsage };
    const whole = isChat
      ? { ...completion, choices: [{ ...choice, message: said }] }
      : {
          id: 'r',
          object: 'response',
          status: 'completed',
          usage,
          output: [message],
          service_tier,
        };
    const stream = isChat
      ? [
          dataOf({ ...chunk, choices: [{ ...choice, delta: said }] }),
          dataOf({ ...chunk, choices: [], usage: chatUsage }),
          'data: [DONE]\n\n',
        ]
      : [
          dataOf({ type: 'response.created', response: { ...whole, usage: null } }),
          dataOf({ type: 'response.completed', response: whole }),
        ];
    const type = body.stream === true ? 'text/event-stream' : 'application/json';
    response.writeHead(200, { 'content-type': type });
    response.end(body.stream === true ? stream.join('') : JSON.stringify(whole));
  });
}

const asked = (path: string, more: object) =>
  path !== RESPONSES
    ? {
        model: GPT,
        max_completion_tokens: 100,
        messages: [{ role: 'user', content: 'Hi' }],
        ...more,
      }
    : { model: GPT, max_output_tokens: 100, input: 'Hi', ...more };

/** What an answer says that it cost, a stream in its last event. */
async function costOf(path: string, more: object): Promise<number> {
  const answer = await gateway.begin(`POST ${path}`, asked(path, more), { key });
  return Number(/"cost":([\d.]+)/.exec(await answer.text())?.[1]);
}

const spent = async (): Promise<number> =>
  (await gateway.ask(`GET /v3/admin/accounts/${account}`)).body.credits.spent;

/**
 * What it costs to leave when a request is on its way and nothing was told of it.
 *
 * @param refused a model that is not there where others follow.
 */
async function costOfLeaving(path: string, body: object, refused?: string): Promise<number> {
  const before = await spent();
  const isRefused = (model: unknown) => 'fallbacks' in body && refused === `anthropic/${model}`;
  const begun = new Promise<void>((resolve) => {
    upstream.answers((response, received) => {
      if (isRefused(received.body.model)) response.writeHead(500).end('{}');
      else resolve();
    });
  });
  const leaving = new AbortController();
  const answer = fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: leaving.signal,
  });
  await begun;
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await until(async () => (await spent()) > before);
  return (await spent()) - before;
}

describe.each([CHAT, RESPONSES])('a tier of service of OpenAI’s, %s', (path) => {
  const stream = {
    stream: true,
    ...(path === CHAT && { stream_options: { include_usage: true } }),
  };
  it.each([
    ['fast', 'fast', 2],
    ['priority', 'priority', 2],
    ['fast', 'priority', 2],
    ['flex', 'flex', 0.5],
    ['auto', 'fast', 2],
    // OpenAI had no room for it there, or the tier has no price here.
    ['fast', 'default', 1],
    ['auto', 'constructor', 1],
  ])('that is asked for as %s and was %s costs the tokens × %d', async (wanted, was, times) => {
    answersIn(was);
    const before = await spent();
    for (const more of [{}, stream]) {
      expect(await costOf(path, { ...more, service_tier: wanted })).toBe(LISTED * times);
    }
    expect((await spent()) - before).toBeCloseTo(2 * LISTED * times, 9);
  });

  it('costs another multiple for some models', async () => {
    answersIn('fast');
    // 1,000 × 5 + 100 × 30 = 8,000, × 2.5
    expect(await costOf(path, { model: 'openai/gpt-5.5', service_tier: 'fast' })).toBe(0.02);
  });

  it('costs six times as much where it is the fastest', async () => {
    answersIn('ultrafast');
    // 1,000 × 2 + 100 × 10 = 3,000, × 6
    const asked = { model: 'openai/gpt-6.1-sol', service_tier: 'ultrafast' };
    expect(await costOf(path, asked)).toBe(0.018);
  });

  it('is held for', async () => {
    answersIn('fast');
    // The output alone is 100 × 15 = 1,500 a million, and twice that in fast mode.
    const poor = await fundedAccount(gateway, unitsOfUsd(0.0025));
    const statusOf = async (service_tier: string) =>
      (await gateway.ask(`POST ${path}`, asked(path, { service_tier }), { key: poor.key })).status;
    expect(await statusOf('fast')).toBe(402);
    expect(await statusOf('default')).toBe(200);
  });

  it('is paid for by who leaves before the answer tells it', async () => {
    const costs: number[] = [];
    for (const service_tier of ['auto', 'fast']) {
      const before = await spent();
      const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'A long word' } }] };
      const first =
        path === CHAT
          ? dataOf(chunk)
          : dataOf({ type: 'response.created', response: { status: 'in_progress', output: [] } });
      void upstream.opens(first);
      const leaving = new AbortController();
      const answer = await fetch(gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(asked(path, { ...stream, service_tier })),
        signal: leaving.signal,
      });
      await answer.body?.getReader().read();
      leaving.abort();
      await until(async () => (await spent()) > before);
      costs.push((await spent()) - before);
    }
    const [usual = 0, fast = 0] = costs;
    expect(fast / usual).toBeCloseTo(2, 6);
  });
});

it.each([
  ['fast', 'default', 1],
  ['auto', 'fast', 2],
])('who leaves a chat that was to be %s pays for its tier, %s', async (wanted, was, times) => {
  const costs: number[] = [];
  const calls = [
    ['auto', 'default'],
    [wanted, was],
  ] as const;
  for (const [wish, tier] of calls) {
    const before = await spent();
    const choices = [{ index: 0, delta: { content: 'A long word' } }];
    void upstream.opens(dataOf({ id: 'c', choices, service_tier: tier }));
    const leaving = new AbortController();
    const body = asked(CHAT, { stream: true, service_tier: wish });
    const answer = await fetch(gateway.url + CHAT, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: leaving.signal,
    });
    await answer.body?.getReader().read();
    leaving.abort();
    await until(async () => (await spent()) > before);
    costs.push((await spent()) - before);
  }
  const [usual = 0, its = 0] = costs;
  expect(its / usual).toBeCloseTo(times, 6);
});

describe.each([
  ['chat completions', GPT, '/v3/v1/messages'],
  ['Responses', 'openai/gpt-5.3-codex', '/v3/v1/messages'],
  ['Responses', 'openai/gpt-5.3-codex', CHAT],
])('an answer of OpenAI’s %s translated for who asked %s on %s', (_, model, path) => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const stream = { stream: true, stream_options: { include_usage: true } };

  // The project's own setting may be another one than the usual.
  it.each([{}, stream])('costs what its tier costs, asked with %j', async (more) => {
    const costs: number[] = [];
    for (const tier of ['default', 'fast', 'flex']) {
      answersIn(tier);
      costs.push(await costOf(path, { model, max_tokens: 100, messages, ...more }));
    }
    const [usual = 0, fast, flex] = costs;
    expect(usual).toBeGreaterThan(0);
    expect([fast, flex]).toEqual([2 * usual, usual / 2]);
  });
});

describe.each([
  ['/v3/v1/messages', GPT],
  ['/v3/v1/messages', 'openai/gpt-5.3-codex'],
])('a tier of service that a translation leaves out, %s of %s', (path, model) => {
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };

  it.each(['service_tier', 'speed'])('is not held for: %s', async (field) => {
    answersIn('default');
    // As much as it may cost without.
    const poor = await fundedAccount(gateway, unitsOfUsd(model === GPT ? 0.0025 : 0.0024));
    const asked = { ...body, [field]: 'fast' };
    expect((await gateway.ask(`POST ${path}`, asked, { key: poor.key })).status).toBe(200);
    expect(upstream.last.body).not.toHaveProperty(field);
  });

  it('is not paid for by who leaves before the answer tells it', async () => {
    const usual = await costOfLeaving(path, body);
    for (const more of [{ service_tier: 'fast' }, { speed: 'fast' }]) {
      // The word itself is read as text.
      expect((await costOfLeaving(path, { ...body, ...more })) / usual).toBeLessThan(1.5);
    }
  });
});

describe.each([
  ['openai/gpt-5.5', 0.006, 2.5, { tools: [{ type: 'function', function: { name: 'now' } }] }],
  ['openai/gpt-5.3-codex', 0.0024, 2, {}],
])('a chat’s tier of service that Responses take, %s', (model, worst, fast, more) => {
  const body = { model, max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }], ...more };

  it.each([
    ['flex', 0.5],
    ['fast', fast],
  ])('is asked for and paid: %s', async (service_tier, times) => {
    answersIn('default');
    const usual = await costOf(CHAT, body);
    answersIn(service_tier);
    const cost = await costOf(CHAT, { ...body, service_tier });
    expect(upstream.last).toMatchObject({ path: '/openai/v1/responses', body: { service_tier } });
    expect(cost).toBeCloseTo(usual * times, 9);
    const told = { stream: true, stream_options: { include_usage: true } };
    for (const way of [{}, told]) {
      const asked = { ...body, service_tier, ...way };
      const answer = await gateway.begin(`POST ${CHAT}`, asked, { key });
      expect(await answer.text()).toContain(`"service_tier":"${service_tier}"`);
    }
  });

  it('is held for', async () => {
    answersIn('default');
    // More than it may cost by itself, and less than in fast mode.
    const poor = await fundedAccount(gateway, unitsOfUsd(worst));
    const statusOf = async (service_tier: string) =>
      (await gateway.ask(`POST ${CHAT}`, { ...body, service_tier }, { key: poor.key })).status;
    expect(await statusOf('fast')).toBe(402);
    expect(await statusOf('default')).toBe(200);
  });

  it('is paid for by who leaves before the answer tells it', async () => {
    const usual = await costOfLeaving(CHAT, body);
    const its = await costOfLeaving(CHAT, { ...body, service_tier: 'fast' });
    expect(its / usual).toBeGreaterThan(fast * 0.9);
  });
});

it.each([
  ['is paid for by who leaves before the answer tells it', CLAUDE, 2],
  ['is not of who leaves while another model is asked', 'anthropic/claude-haiku-4-5', 1],
])('a faster answer of Anthropic’s %s', async (_, asked, times) => {
  const text = 'A long question, beside which a word is none. '.repeat(20);
  const body = { max_tokens: 100, messages: [{ role: 'user', content: text }] };
  // The first model refuses each time, so that the other one is on its way when the caller leaves.
  const plan = asked === CLAUDE ? { model: CLAUDE } : { model: CLAUDE, fallbacks: [asked] };
  const usual = await costOfLeaving('/v3/v1/messages', { ...body, ...plan }, CLAUDE);
  const fast = await costOfLeaving('/v3/v1/messages', { ...body, ...plan, speed: 'fast' }, CLAUDE);
  expect(fast / usual).toBeGreaterThan(times * 0.9);
  expect(fast / usual).toBeLessThan(times * 1.1);
});
