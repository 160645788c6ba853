import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../src/database/database.service.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { creditOf, expectBalanced } from './support/books.js';
import { fundedAccount, type FundedAccount } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';
import { BEGINNING, messageEvent } from './support/provider-answers.js';
import { until } from './support/until.js';

const TOTAL_MS = 500;
const model = 'openai/gpt-4o-mini';
const messages = [{ role: 'user', content: 'Hello' }];

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
const WORD = data({ choices: [{ delta: { content: 'Hi' } }] });
const PING = messageEvent('ping');
const KEEPALIVE = `event: keepalive\n${data({ type: 'keepalive' })}`;
const RESPONSE = `event: response.created\n${data({ type: 'response.created', response: { id: 'r' } })}`;
const chat = { model, messages };
const message = { ...chat, max_tokens: 100 };
const claude = { ...message, model: 'anthropic/claude-haiku-4-5' };

/** What a provider has said, and what it sends for ever after. */
const STANDSTILLS = [
  ['comments', '/chat/completions', chat, WORD, ': keep-alive\n\n'],
  ['chunks without a choice', '/chat/completions', chat, WORD, data({ choices: [] })],
  ['an event that does not end', '/chat/completions', chat, WORD, 'data: '],
  ['comments', '/v1/messages', message, WORD, ': keep-alive\n\n'],
  ['pings', '/v1/messages', claude, BEGINNING, PING],
  ['pings', '/v1/messages', claude, '', PING],
  ['pings without a name', '/v1/messages', claude, BEGINNING, data({ type: 'ping' })],
  ['pings', '/chat/completions', claude, BEGINNING, PING],
  ['keepalives', '/responses', { model, input: 'Hello' }, RESPONSE, KEEPALIVE],
] as const;

describe('A stream that stands still', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let account: FundedAccount;
  beforeAll(async () => {
    await upstream.listen();
    gateway = await startAskedOn({
      ...{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1` },
      ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: upstream.url },
      UPSTREAM_IDLE_TIMEOUT_MS: String(TOTAL_MS),
      UPSTREAM_TOTAL_TIMEOUT_MS: String(TOTAL_MS),
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });
  beforeEach(async () => {
    upstream.aborted = 0;
    account = await fundedAccount(gateway, 10_000_000_000_000n);
  });

  it.each(STANDSTILLS)('ends, whatever it sends: %s (%s)', async (...standstill) => {
    const [, path, body, beginning, nothing] = standstill;
    upstream.answers((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(beginning);
      const timer = setInterval(() => response.write(nothing), 50);
      response.on('close', () => {
        clearInterval(timer);
      });
    });
    const signal = AbortSignal.timeout(20_000);
    const asked = { ...body, stream: true };
    const reply = await gateway.begin(`POST /v3${path}`, asked, { key: account.key, signal });
    expect(reply.status).toBe(200);
    expect(await reply.text()).toMatch(/The provider (openai|anthropic) did not answer in time\./);
    await until(() => upstream.aborted === 1);
    const credit = await creditOf({ database: gateway.app.get(Database) }, account.id);
    expectBalanced(credit);
    expect(credit.held_units).toBe(0n);
  });
});
