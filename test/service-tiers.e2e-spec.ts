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
