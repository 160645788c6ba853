import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unitsOfUsd } from '../src/contract/money.js';
import { type Asked, startAskedOn } from './support/admin.js';
import { sse } from './support/cost-vector.js';
import { fundedAccount } from './support/credit.js';
import { FakeUpstream } from './support/fake-upstream.js';

const PROVIDERS = ['anthropic', 'openai', 'google', 'xai', 'cohere', 'perplexity', 'bedrock'];
/** A price of the operator's own: 1 in and 2 out, USD a million tokens. */
const OWN_PRICES = `
models:
  openai/own-price:
    endpoints: [messages]
    pricing: { input_cost_per_token: 0.000001, output_cost_per_token: 0.000002 }
`;
const CREDIT = 100;

const messages = [{ role: 'user', content: 'Hello' }];
const message = (usage: object) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', usage },
  ...{ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', stop_sequence: null },
});
const completion = (usage: object) => ({
  ...{ id: '1', object: 'chat.completion', created: 1, model: 'm', usage },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
});
const chunk = (content: string, finish_reason: string | null, usage?: object) => ({
  ...{ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', usage },
  choices: [{ index: 0, delta: { content }, finish_reason }],
});

/** One call, what the provider answers, and what every place must say that it cost. */
interface Vector {
  readonly path: string;
  readonly model: string;
  readonly body?: object;
  readonly answer: object | readonly object[];
  readonly cost: string;
  readonly estimated?: boolean;
}

const VECTORS: Record<string, Vector> = {
  'cache writes for an hour': {
    ...{ path: '/v1/messages', model: 'anthropic/claude-sonnet-4-6' },
    answer: message({
      ...{ input_tokens: 19, output_tokens: 61, cache_creation_input_tokens: 2338 },
      cache_creation: { ephemeral_5m_input_tokens: 407, ephemeral_1h_input_tokens: 1931 },
    }),
    cost: '0.01408425', // (19 × 3 + 407 × 3.75 + 1,931 × 6 + 61 × 15) millionths
  },
  'a stream that repeats its counts': {
    ...{ path: '/v1/messages', model: 'anthropic/claude-sonnet-4-6' },
    answer: [
      { type: 'message_start', message: message({ input_tokens: 100, output_tokens: 7 }) },
      ...[60, 101].map((output_tokens) => ({
        ...{ type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        usage: { input_tokens: 100, output_tokens },
      })),
      { type: 'message_stop' },
    ],
    cost: '0.001815', // 100 × 3 + 101 × 15 = 300 + 1,515
  },
  'a conversation that was summarised on the way': {
    ...{ path: '/chat/completions', model: 'anthropic/claude-opus-4-8' },
    answer: message({
      ...{ input_tokens: 2000, output_tokens: 100 },
      iterations: [{ type: 'compaction', input_tokens: 50_000, output_tokens: 400 }],
    }),
    cost: '0.2725', // 52,000 × 5 + 500 × 25 = 260,000 + 12,500
  },
  'cached tokens': {
    ...{ path: '/chat/completions', model: 'openai/gpt-4o' },
    answer: completion({
      ...{ prompt_tokens: 1204, completion_tokens: 87 },
      prompt_tokens_details: { cached_tokens: 1024 },
    }),
    cost: '0.0026', // 180 × 2.5 + 1,024 × 1.25 + 87 × 10 = 450 + 1,280 + 870
  },
  'a price of the operator, once': {
    ...{ path: '/chat/completions', model: 'openai/own-price' },
    answer: completion({ prompt_tokens: 10, completion_tokens: 10 }),
    cost: '0.00003', // 10 × 1 + 10 × 2
  },
  'reasoning outside of the completion, streamed': {
    ...{ path: '/v1/messages', model: 'xai/grok-4-fast-reasoning' },
    answer: [
      chunk('Hi', null),
      chunk('', 'stop', {
        ...{ prompt_tokens: 361, completion_tokens: 26, total_tokens: 622 },
        prompt_tokens_details: { cached_tokens: 360 },
        completion_tokens_details: { reasoning_tokens: 235 },
      }),
    ],
    cost: '0.0001487', // 1 × 0.2 + 360 × 0.05 + 261 × 0.5 = 0.2 + 18 + 130.5
  },
  'thoughts and tokens cached once': {
    ...{ path: '/responses', model: 'google/gemini-2.5-flash', body: { input: 'Hello' } },
    answer: {
      candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
      usageMetadata: {
        ...{ promptTokenCount: 9622, cachedContentTokenCount: 9609 },
        ...{ candidatesTokenCount: 35, thoughtsTokenCount: 136 },
      },
    },
    cost: '0.00071967', // 13 × 0.3 + 9,609 × 0.03 + 171 × 2.5 = 3.9 + 288.27 + 427.5
  },
  'billed units': {
    ...{ path: '/v1/messages', model: 'cohere/command-a-03-2025' },
    answer: {
      ...{ id: '1', finish_reason: 'COMPLETE' },
      message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
      usage: {
        billed_units: { input_tokens: 57, output_tokens: 11 },
        tokens: { input_tokens: 1713, output_tokens: 25 },
      },
    },
    cost: '0.0002525', // 57 × 2.5 + 11 × 10 = 142.5 + 110
  },
  'the fee of a request': {
    ...{ path: '/chat/completions', model: 'perplexity/sonar' },
    answer: completion({ prompt_tokens: 7, completion_tokens: 1 }),
    cost: '0.012008', // 7 × 1 + 1 × 1 + 12,000
  },
  'another format, with fractions of a nano-dollar': {
    ...{ path: '/v1/messages', model: 'bedrock/amazon.nova-lite-v1:0' },
    answer: {
      output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
      ...{ stopReason: 'end_turn', usage: { inputTokens: 1, outputTokens: 0, totalTokens: 1 } },
    },
    cost: '0.00000006', // 1 × 0.06
  },
  'image tokens in and out': {
    ...{ path: '/images/generations', model: 'openai/gpt-image-1.5', body: { prompt: 'x' } },
    answer: {
      ...{ created: 1, data: [{ b64_json: 'AAAA' }] },
      usage: {
        ...{ input_tokens: 431, output_tokens: 1364 },
        input_tokens_details: { image_tokens: 388, text_tokens: 43 },
        output_tokens_details: { image_tokens: 1056, text_tokens: 308 },
      },
    },
    cost: '0.040191', // 43 × 5 + 388 × 8 + 308 × 10 + 1,056 × 32
  },
  'an image by its size and quality': {
    ...{ path: '/images/generations', model: 'openai/dall-e-3' },
    body: { prompt: 'x', size: '1792x1024', quality: 'hd' },
    answer: { created: 1, data: [{ url: 'https://images.example/1' }] },
    cost: '0.12',
  },
  'an embedding': {
    ...{ path: '/embeddings', model: 'openai/text-embedding-3-small', body: { input: 'Hello' } },
    answer: {
      ...{ object: 'list', model: 'm', usage: { prompt_tokens: 31, total_tokens: 31 } },
      data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
    },
    cost: '0.00000062', // 31 × 0.02
  },
  'an answer without usage, by our own count': {
    ...{ path: '/chat/completions', model: 'openai/gpt-4o' },
    answer: [chunk('Hello ', null), chunk('world!', null), chunk('', 'stop')],
    estimated: true,
    // Three bytes a token. The request's texts: 13 + 4 + 5 bytes, 8 tokens; the answer's: 12, 4.
    cost: '0.00006', // 8 × 2.5 + 4 × 10 = 20 + 40
  },
  'absurd usage, by our own count': {
    ...{ path: '/chat/completions', model: 'openai/gpt-4o' },
    answer: [chunk('Hello world!', 'stop', { prompt_tokens: -9, completion_tokens: 10 ** 12 })],
    estimated: true,
    cost: '0.00006',
  },
};

describe('What a call costs, wherever it is asked', () => {
  const upstream = new FakeUpstream();
  let gateway: Asked;
  let folder: string;
  beforeAll(async () => {
    await upstream.listen();
    folder = await mkdtemp(join(tmpdir(), 'causeway-cost-'));
    const file = join(folder, 'models.yaml');
    await writeFile(file, OWN_PRICES);
    const settings = PROVIDERS.flatMap((name) => [
      [`${name.toUpperCase()}_API_KEY`, 'upstream-key'],
      [`${name.toUpperCase()}_BASE_URL`, `${upstream.url}/${name}`],
    ]);
    gateway = await startAskedOn({ ...Object.fromEntries(settings), MODELS_FILE: file });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(VECTORS))('%s', async (_name, vector) => {
    const { path, model, body, answer, cost, estimated = false } = vector;
    const streams = Array.isArray(answer);
    if (streams) upstream.streams(...answer.map(sse), 'data: [DONE]\n\n');
    else upstream.replies(200, answer);
    const { id, key } = await fundedAccount(gateway, unitsOfUsd(CREDIT));
    const response = await fetch(`${gateway.url}/v3${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ model, ...(streams && { stream: true, stream_options: { include_usage: true } }) },
        ...(body ?? { messages }),
      }),
    });
    const text = await response.text();
    expect([response.status, text]).toEqual([200, text]);
    // As it stands in the JSON, before any parser has rounded it.
    const shown = [...text.matchAll(/"cost":([^,}]+)/g)].map((match) => match[1]);
    expect(shown).toEqual([cost]);
    expect(response.headers.get('x-causeway-cost')).toBe(streams ? null : cost);
    const paid = Number(cost);
    const usage = await gateway.ask('GET /v3/usage', undefined, { key });
    expect(usage.body.data).toMatchObject([{ requests: 1, errors: 0, cost: paid }]);
    const log = await gateway.ask(`GET /v3/admin/requests?account_id=${id}`);
    expect(log.body.data).toMatchObject([{ model, outcome: 'ok', cost: paid, estimated }]);
    const ledger = await gateway.ask(`GET /v3/admin/accounts/${id}/ledger`);
    expect(ledger.body.data[0]).toMatchObject({ type: 'charge', amount: -paid });
    const account = await gateway.ask(`GET /v3/admin/accounts/${id}`);
    const left = Number(((CREDIT * 1e12 - Math.round(paid * 1e12)) / 1e12).toFixed(12));
    expect(account.body.credits).toEqual({ balance: left, held: 0, spent: paid });
  });
});
