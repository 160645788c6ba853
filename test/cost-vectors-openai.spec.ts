import { describe, expect, it } from '@jest/globals';
import {
  type Asked,
  costOf,
  costOfOther,
  costOfStream,
  NOT_TOLD,
  perMillion,
} from './support/cost-vector.js';

// Prices in USD a million tokens, in the order input, cached input, output:
// gpt-4o: 2.5, 1.25, 10. gpt-4o-mini: 0.15, 0.075, 0.6. gpt-4.1-mini: 0.4, 0.1, 1.6. o3: 2, 0.5, 8.
// Products below are in millionths of a USD.
const CHAT: Asked = { format: 'openai' };
const RESPONSES: Asked = { format: 'responses' };
const SHOWN: Asked = { format: 'openai', body: { stream_options: { include_usage: true } } };

const choice = {
  index: 0,
  message: { role: 'assistant', content: 'Hello' },
  finish_reason: 'stop',
};
const completion = (usage: unknown) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'm' },
  ...{ choices: [choice], usage },
});
const chunk = (delta: object, more: object = {}, finish_reason: string | null = null) => ({
  ...{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const chunks = (usage: unknown) => [
  chunk({ role: 'assistant', content: 'Hel' }, { usage: null }),
  chunk({ content: 'lo' }, { usage: null }),
  chunk({}, { usage: null }, 'stop'),
  chunk({}, { choices: [], usage }),
];
const response = (usage: unknown) => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'm', usage },
  output: [
    {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
});

describe('What a chat completion costs', () => {
  it('plain', () => {
    const usage = { prompt_tokens: 44, completion_tokens: 4, total_tokens: 48 };
    // 44 × 0.15 + 4 × 0.6 = 6.6 + 2.4 = 9
    expect(costOf('openai/gpt-4o-mini', completion(usage), CHAT)).toBe('0.000009');
  });

  it('cached tokens not at the full price, and not beside it', () => {
    const usage = {
      ...{ prompt_tokens: 1204, completion_tokens: 87, total_tokens: 1291 },
      prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
    };
    // (1,204 - 1,024) × 2.5 + 1,024 × 1.25 + 87 × 10 = 450 + 1,280 + 870 = 2,600
    expect(costOf('openai/gpt-4o', completion(usage), CHAT)).toBe('0.0026');
    expect(costOf('openai/gpt-4o', completion(usage))).toBe('0.0026');
  });

  it.each([
    ['to a caller who asked for the usage', SHOWN],
    ['to one who did not', CHAT],
    ['translated', {}],
  ])('cached tokens of a stream %s', async (_who, asked) => {
    const usage = {
      ...{ prompt_tokens: 2006, completion_tokens: 300, total_tokens: 2306 },
      prompt_tokens_details: { cached_tokens: 1920 },
    };
    // 86 × 0.15 + 1,920 × 0.075 + 300 × 0.6 = 12.9 + 144 + 180 = 336.9
    expect(await costOfStream('openai/gpt-4o-mini', chunks(usage), asked)).toBe('0.0003369');
  });

  it('a stream of one token', async () => {
    const usage = { prompt_tokens: 23, completion_tokens: 1, total_tokens: 24 };
    // 23 × 0.4 + 1 × 1.6 = 9.2 + 1.6 = 10.8
    expect(await costOfStream('openai/gpt-4.1-mini', chunks(usage), CHAT)).toBe('0.0000108');
  });

  it.each([CHAT, {}])('a stream that counts in every chunk, by its last (%j)', async (asked) => {
    const so = (completion_tokens: number) => ({
      usage: { prompt_tokens: 100, completion_tokens },
    });
    const events = [
      chunk({ role: 'assistant', content: 'Hel' }, so(1)),
      chunk({ content: 'lo' }, so(2)),
      chunk({}, so(2), 'stop'),
    ];
    // 100 × 0.15 + 2 × 0.6 = 15 + 1.2 = 16.2
    expect(await costOfStream('openai/gpt-4o-mini', events, asked)).toBe('0.0000162');
  });

  it('reasoning once, as a part of the completion', () => {
    const usage = {
      ...{ prompt_tokens: 64, completion_tokens: 151, total_tokens: 215 },
      completion_tokens_details: { reasoning_tokens: 128 },
    };
    // 64 × 2 + 151 × 8 = 128 + 1,208 = 1,336
    expect(costOf('openai/o3', completion(usage), CHAT)).toBe('0.001336');
  });

  it('a cache write at its own price', () => {
    const usage = {
      ...{ prompt_tokens: 5000, completion_tokens: 100 },
      prompt_tokens_details: { cached_tokens: 2000, cache_write_tokens: 1500 },
    };
    // gpt-6.2-sol: 2, 0.1, 10, written 2.5
    // 1,500 × 2 + 2,000 × 0.1 + 1,500 × 2.5 + 100 × 10 = 3,000 + 200 + 3,750 + 1,000 = 7,950
    expect(costOf('openai/gpt-6.2-sol', completion(usage), CHAT)).toBe('0.00795');
  });

  it('a long prompt, all of it at the price of long ones', () => {
    const usage = (prompt_tokens: number) => completion({ prompt_tokens, completion_tokens: 1000 });
    // gpt-6.2-sol: 2, 10; above 272,000: 4, 15
    // 272,000 × 2 + 1,000 × 10 = 554,000; 272,001 × 4 + 1,000 × 15 = 1,103,004
    expect(costOf('openai/gpt-6.2-sol', usage(272_000), CHAT)).toBe('0.554');
    expect(costOf('openai/gpt-6.2-sol', usage(272_001), CHAT)).toBe('1.103004');
  });

  it('a long prompt that is long by its cached tokens only', () => {
    const usage = {
      ...{ prompt_tokens: 300_000, completion_tokens: 1000 },
      prompt_tokens_details: { cached_tokens: 100_000 },
    };
    // gpt-5.5 from 272,000: 10, 1, 45
    // 200,000 × 10 + 100,000 × 1 + 1,000 × 45 = 2,000,000 + 100,000 + 45,000 = 2,145,000
    expect(costOf('openai/gpt-5.5', completion(usage), CHAT)).toBe('2.145');
  });

  it('at the price of the operator instead of the list price, and not both', () => {
    const pricing = { inputPerToken: perMillion(1), outputPerToken: perMillion(2) };
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    // 10 × 1 + 10 × 2 = 30
    expect(costOf('openai/gpt-4o', completion(usage), { ...CHAT, pricing })).toBe('0.00003');
  });

  it.each([
    undefined,
    null,
    {},
    { total_tokens: 9 },
    { prompt_tokens: 9 },
    { prompt_tokens: -9, completion_tokens: 1 },
    { prompt_tokens: 10_000_000_000, completion_tokens: 1 },
  ])('nobody knows when the usage is %j', async (usage) => {
    expect(costOf('openai/gpt-4o', completion(usage), CHAT)).toBe(NOT_TOLD);
    expect(await costOfStream('openai/gpt-4o', chunks(usage), CHAT)).toBe(NOT_TOLD);
    expect(await costOfStream('openai/gpt-4o', chunks(usage))).toBe(NOT_TOLD);
  });

  it('on Azure, whose stream begins with a chunk about its filter', async () => {
    const usage = { prompt_tokens: 12, completion_tokens: 24, total_tokens: 36 };
    const filter = { choices: [], prompt_filter_results: [{ prompt_index: 0 }] };
    // gpt-5.2: 1.75, 0.175, 14. 12 × 1.75 + 24 × 14 = 21 + 336 = 357
    const events = [filter, ...chunks(usage)];
    expect(await costOfStream('azure-openai/gpt-5.2', events, CHAT)).toBe('0.000357');
    expect(await costOfStream('azure-openai/gpt-5.2', events)).toBe('0.000357');
  });
});

describe('What a response costs', () => {
  const told = {
    ...{ input_tokens: 5000, output_tokens: 100, total_tokens: 5100 },
    input_tokens_details: { cached_tokens: 2000, cache_write_tokens: 1500 },
    output_tokens_details: { reasoning_tokens: 64 },
  };

  it('plain', () => {
    const usage = { input_tokens: 43, output_tokens: 11, total_tokens: 54 };
    // 43 × 2.5 + 11 × 10 = 107.5 + 110 = 217.5
    expect(costOf('openai/gpt-4o', response(usage), RESPONSES)).toBe('0.0002175');
  });

  it('with reasoning in it', () => {
    const usage = {
      ...{ input_tokens: 11_041, output_tokens: 1522 },
      output_tokens_details: { reasoning_tokens: 640 },
    };
    // gpt-5.5: 5, 0.5, 30. 11,041 × 5 + 1,522 × 30 = 55,205 + 45,660 = 100,865
    expect(costOf('openai/gpt-5.5', response(usage), RESPONSES)).toBe('0.100865');
  });

  it('of a stream, with what was read from and written to the cache', async () => {
    const events = [
      { type: 'response.created', response: { ...response(null), status: 'in_progress' } },
      { type: 'response.output_text.delta', delta: 'Hello' },
      { type: 'response.completed', response: response(told) },
    ];
    // As above: 1,500 × 2 + 2,000 × 0.1 + 1,500 × 2.5 + 100 × 10 = 7,950
    expect(await costOfStream('openai/gpt-6.2-sol', events, RESPONSES)).toBe('0.00795');
  });

  it('with a fee for each search of the web, but none for opening what was found', async () => {
    const searched = {
      ...response({ input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 }),
      output: [
        { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'x' } },
        { type: 'web_search_call', id: 'ws_2', action: { type: 'open_page', url: 'x' } },
        { type: 'web_search_call', id: 'ws_3', status: 'completed' },
        ...response(null).output,
      ],
    };
    const events = [{ type: 'response.completed', response: searched }];
    // 1,000 × 2 + 100 × 10 = 3,000, and 2 at a cent each
    expect(costOf('openai/gpt-6.2-sol', searched, RESPONSES)).toBe('0.023');
    expect(await costOfStream('openai/gpt-6.2-sol', events, RESPONSES)).toBe('0.023');
    // Translated: 1,000 × 30 + 100 × 180 = 48,000
    expect(costOf('openai/gpt-5.5-pro', searched)).toBe('0.068');
    expect(await costOfStream('openai/gpt-5.5-pro', events)).toBe('0.068');
  });

  it('translated, for a model that has no chat completions', () => {
    // gpt-5.5-pro has no price for cached tokens: 30, 180. 5,000 × 30 + 100 × 180 = 168,000
    expect(costOf('openai/gpt-5.5-pro', response(told))).toBe('0.168');
  });
});

describe('What embeddings cost', () => {
  const vectors = (prompt_tokens: unknown, embedding: unknown = [0.5]) => ({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding }],
    ...{ model: 'm', usage: { prompt_tokens, total_tokens: prompt_tokens } },
  });

  it.each([
    ['openai/text-embedding-3-small', 31, '0.00000062'], // 31 × 0.02 = 0.62
    ['openai/text-embedding-3-large', 8191, '0.00106483'], // 8,191 × 0.13 = 1,064.83
    ['azure-openai/text-embedding-3-small', 4, '0.00000008'], // 4 × 0.02 = 0.08
  ])('%s for %i tokens', (id, tokens, cost) => {
    expect(costOfOther('embeddings', id, [vectors(tokens)])).toBe(cost);
  });

  it('of a request that was split, together', () => {
    const model = 'openai/text-embedding-3-small';
    // OpenAI takes 2,048 inputs a call.
    const body = { input: Array.from({ length: 2_049 }, () => 'x') };
    const first = {
      ...vectors(7),
      data: body.input.slice(1).map((_, index) => ({ ...vectors(7).data[0], index })),
    };
    // (7 + 5) × 0.02 = 0.24
    expect(costOfOther('embeddings', model, [first, vectors(5)], { body })).toBe('0.00000024');
    expect(costOfOther('embeddings', model, [first, vectors(-5)], { body })).toBe(NOT_TOLD);
  });
});
