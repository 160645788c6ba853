import { describe, expect, it } from '@jest/globals';
import { costOf, costOfStream, NOT_TOLD, perMillion } from './support/cost-vector.js';

// Prices in USD a million tokens, in the order input, output, cache read, written for 5 m, for 1 h:
// Haiku 4.5: 1, 5, 0.1, 1.25, 2. Sonnet 4.6: 3, 15, 0.3, 3.75, 6. Opus 4.8: 5, 25, 0.5, 6.25, 10.
// Products below are in millionths of a USD.
const HAIKU = 'anthropic/claude-haiku-4-5';
const SONNET = 'anthropic/claude-sonnet-4-6';
const OPUS = 'anthropic/claude-opus-4-8';

const message = (usage: unknown) => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm' },
  ...{ content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn', usage },
});
const stream = (start: object, ...deltas: (object | undefined)[]) => [
  { type: 'message_start', message: { ...message(start), content: [] } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  ...deltas.map((usage) => ({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage,
  })),
  { type: 'message_stop' },
];

describe('What a Claude costs', () => {
  it('a plain answer', () => {
    // 18 × 1 + 1 × 5 = 23
    const usage = { input_tokens: 18, output_tokens: 1, cache_creation_input_tokens: 0 };
    expect(costOf(HAIKU, message(usage))).toBe('0.000023');
  });

  it('cache writes for five minutes and for an hour, each at its own price', () => {
    const usage = {
      ...{ input_tokens: 19, output_tokens: 61, cache_read_input_tokens: 0 },
      cache_creation_input_tokens: 2338,
      cache_creation: { ephemeral_1h_input_tokens: 1931, ephemeral_5m_input_tokens: 407 },
    };
    // 19 × 3 + 407 × 3.75 + 1,931 × 6 + 61 × 15 = 57 + 1,526.25 + 11,586 + 915 = 14,084.25
    expect(costOf(SONNET, message(usage))).toBe('0.01408425');
  });

  it('a fee for each search of the web, whole and streamed alike', async () => {
    const usage = {
      ...{ input_tokens: 100, output_tokens: 50 },
      server_tool_use: { web_search_requests: 3, web_fetch_requests: 2 },
    };
    // 100 × 5 + 50 × 25 = 1,750, and 3 at a cent each
    expect(costOf(OPUS, message(usage))).toBe('0.03175');
    const { server_tool_use: _none, ...start } = usage;
    expect(await costOfStream(OPUS, stream(start, usage))).toBe('0.03175');
  });

  it('a write without its length of time, for five minutes', () => {
    const usage = { input_tokens: 10, output_tokens: 21, cache_creation_input_tokens: 1000 };
    // 10 × 3 + 1,000 × 3.75 + 21 × 15 = 30 + 3,750 + 315 = 4,095
    expect(costOf(SONNET, message(usage))).toBe('0.004095');
  });

  it('no more for an hour than was written at all', () => {
    const usage = {
      ...{ input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 100 },
      cache_creation: { ephemeral_1h_input_tokens: 500 },
    };
    // 100 × 6 = 600
    expect(costOf(SONNET, message(usage))).toBe('0.0006');
  });

  it('cached tokens at the price of cached ones, whole and streamed alike', async () => {
    // 3 × 3 + 40,000 × 0.3 + 101 × 15 = 9 + 12,000 + 1,515 = 13,524
    const usage = { input_tokens: 3, output_tokens: 101, cache_read_input_tokens: 40_000 };
    expect(costOf(SONNET, message(usage))).toBe('0.013524');
    const first = { ...usage, output_tokens: 7 };
    expect(await costOfStream(SONNET, stream(first, { output_tokens: 101 }))).toBe('0.013524');
    const said = stream(first, { ...usage, cache_read_input_tokens: 40_000 });
    expect(await costOfStream(SONNET, said)).toBe('0.013524');
  });

  it('a stream by its last count, although every event repeats the counts so far', async () => {
    const start = { input_tokens: 3, cache_creation_input_tokens: 1143, output_tokens: 7 };
    // 3 × 3 + 1,143 × 3.75 + 101 × 15 = 9 + 4,286.25 + 1,515 = 5,810.25
    const events = stream(start, { ...start, output_tokens: 60 }, { ...start, output_tokens: 101 });
    expect(await costOfStream(SONNET, events)).toBe('0.00581025');
  });

  it('a stream whose last event tells the output only', async () => {
    // 27 × 5 + 15 × 25 = 135 + 375 = 510
    const events = stream({ input_tokens: 27, output_tokens: 1 }, { output_tokens: 15 });
    expect(await costOfStream(OPUS, events)).toBe('0.00051');
  });

  it('a stream whose later nulls take nothing back', async () => {
    const start = { input_tokens: 27, output_tokens: 1, cache_read_input_tokens: 1000 };
    const end = { input_tokens: null, cache_read_input_tokens: null, output_tokens: 15 };
    // 27 × 5 + 1,000 × 0.5 + 15 × 25 = 135 + 500 + 375 = 1,010
    expect(await costOfStream(OPUS, stream(start, end))).toBe('0.00101');
  });

  it('thinking once, as a part of the output', () => {
    const output_tokens_details = { thinking_tokens: 24 };
    const usage = { input_tokens: 470, output_tokens: 135, output_tokens_details };
    // 470 × 3 + 135 × 15 = 1,410 + 2,025 = 3,435
    expect(costOf(SONNET, message(usage))).toBe('0.003435');
  });

  it('a summary that was made on the way, which the totals leave out, whole and streamed', async () => {
    const usage = {
      ...{ input_tokens: 23_000, output_tokens: 1000, cache_read_input_tokens: 0 },
      iterations: [
        { type: 'compaction', input_tokens: 180_000, output_tokens: 3500 },
        { type: 'message', input_tokens: 23_000, output_tokens: 1000 },
      ],
    };
    // (23,000 + 180,000) × 5 + (1,000 + 3,500) × 25 = 1,015,000 + 112,500 = 1,127,500
    expect(costOf(OPUS, message(usage))).toBe('1.1275');
    const start = { input_tokens: 23_000, output_tokens: 1 };
    expect(await costOfStream(OPUS, stream(start, usage))).toBe('1.1275');
  });

  it('a streamed summary whose cached tokens the last event does not repeat', async () => {
    const start = { input_tokens: 100, output_tokens: 7, cache_read_input_tokens: 55_096 };
    const answer = { input_tokens: 181, output_tokens: 8, cache_read_input_tokens: 0 };
    const summary = { type: 'compaction', ...start, output_tokens: 83 };
    const end = { ...answer, iterations: [summary, { type: 'message', ...answer }] };
    // (100 + 181) × 3 + 55,096 × 0.3 + (83 + 8) × 15 = 843 + 16,528.8 + 1,365 = 18,736.8
    expect(await costOfStream(SONNET, stream(start, end))).toBe('0.0187368');
  });

  it('nothing for sure where an advisor’s counts are none', () => {
    const advice = { type: 'advisor_message', model: 'claude-opus-4-8', input_tokens: -5 };
    const usage = { input_tokens: 10, output_tokens: 5, iterations: [advice] };
    expect(costOf(SONNET, message(usage))).toBe(NOT_TOLD);
  });

  it('a summary alone, with cache writes of both lengths', () => {
    const summary = {
      ...{ type: 'compaction', input_tokens: 10, output_tokens: 100 },
      ...{ cache_read_input_tokens: 60_000, cache_creation_input_tokens: 400 },
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 300 },
    };
    const usage = { input_tokens: 0, output_tokens: 0, iterations: [summary] };
    // 10 × 5 + 60,000 × 0.5 + 100 × 6.25 + 300 × 10 + 100 × 25 = 50 + 30,000 + 625 + 3,000 + 2,500
    expect(costOf(OPUS, message(usage))).toBe('0.036175');
  });

  it('turns of a tool that Anthropic runs, which the totals hold already, once', () => {
    const turn = { type: 'message', input_tokens: 379, output_tokens: 15 };
    const usage = { input_tokens: 758, output_tokens: 30, iterations: [turn, turn, null] };
    // 758 × 1 + 30 × 5 = 758 + 150 = 908
    expect(costOf(HAIKU, message(usage))).toBe('0.000908');
  });

  it('a long context, cached tokens counted, from one token above the bound', () => {
    const usage = (cache_read_input_tokens: number) =>
      message({ input_tokens: 1, output_tokens: 10, cache_read_input_tokens });
    // Sonnet 4.5: 3, 15, 0.3; above 200,000: 6, 22.5, 0.6
    // 1 × 3 + 199,999 × 0.3 + 10 × 15 = 3 + 59,999.7 + 150 = 60,152.7
    expect(costOf('anthropic/claude-sonnet-4-5', usage(199_999))).toBe('0.0601527');
    // 1 × 6 + 200,000 × 0.6 + 10 × 22.5 = 6 + 120,000 + 225 = 120,231
    expect(costOf('anthropic/claude-sonnet-4-5', usage(200_000))).toBe('0.120231');
  });

  it('a long context of the newest Haiku, five times as much', () => {
    const usage = (input_tokens: number) => message({ input_tokens, output_tokens: 100 });
    // Haiku 5.5: 0.1, 0.5; above 100,000: 0.5, 2.5
    // 100,000 × 0.1 + 100 × 0.5 = 10,050; 100,001 × 0.5 + 100 × 2.5 = 50,250.5
    expect(costOf('anthropic/claude-haiku-5-5', usage(100_000))).toBe('0.01005');
    expect(costOf('anthropic/claude-haiku-5-5', usage(100_001))).toBe('0.0502505');
  });

  it.each(['openai', 'responses'] as const)('the same to a caller of %s', async (format) => {
    const usage = { input_tokens: 3, output_tokens: 101, cache_read_input_tokens: 40_000 };
    expect(costOf(SONNET, message(usage), { format })).toBe('0.013524');
    const events = stream({ ...usage, output_tokens: 1 }, { output_tokens: 101 });
    expect(await costOfStream(SONNET, events, { format })).toBe('0.013524');
  });

  it.each([
    undefined,
    null,
    {},
    { input_tokens: 5 },
    { input_tokens: -5, output_tokens: 1 },
    { input_tokens: 5, output_tokens: 1.5 },
    { input_tokens: 1_000_000_001, output_tokens: 1 },
    { input_tokens: '5', output_tokens: 1 },
  ])('nobody knows when the usage is %j', (usage) => {
    expect(costOf(HAIKU, message(usage))).toBe(NOT_TOLD);
  });

  it('of a stream nobody knows when it ends without its output', async () => {
    const events = stream({ input_tokens: 27, output_tokens: 1 }, undefined);
    expect(await costOfStream(HAIKU, events)).toBe(NOT_TOLD);
  });
});

describe('What a Claude costs elsewhere', () => {
  // A geographic profile on Bedrock: 1.1 in, 5.5 out, 0.11 read.
  const PROFILE = 'bedrock/us.anthropic.claude-haiku-4-5-20251001-v1:0';

  it('on Bedrock, a tenth more for a profile of a geography', () => {
    // 20 × 1.1 + 5 × 5.5 = 22 + 27.5 = 49.5
    expect(costOf(PROFILE, message({ input_tokens: 20, output_tokens: 5 }))).toBe('0.0000495');
  });

  it('on Bedrock, a stream once, although AWS adds the counts to its last event', async () => {
    const events = stream({ input_tokens: 1000, output_tokens: 1 }, { output_tokens: 500 });
    const metrics = { inputTokenCount: 1000, outputTokenCount: 500 };
    const told = [
      ...events.slice(0, -1),
      { type: 'message_stop', 'amazon-bedrock-invocationMetrics': metrics },
    ];
    // 1,000 × 1.1 + 500 × 5.5 = 1,100 + 2,750 = 3,850
    expect(await costOfStream(PROFILE, told)).toBe('0.00385');
    expect(await costOfStream(PROFILE, told, { format: 'openai' })).toBe('0.00385');
  });

  it('on Vertex AI, with a write for an hour', () => {
    const usage = {
      ...{ input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 1000 },
      cache_creation: { ephemeral_1h_input_tokens: 1000 },
    };
    // Sonnet 5.5: 2 in, 10 out, 4 for an hour. 100 × 2 + 1,000 × 4 + 10 × 10 = 4,300
    expect(costOf('vertex/claude-sonnet-5-5', message(usage))).toBe('0.0043');
  });

  it('on an address of the operator, at the price that the operator names and no other', () => {
    const pricing = { inputPerToken: perMillion(7), outputPerToken: perMillion(9) };
    const usage = { input_tokens: 10, output_tokens: 10, cache_read_input_tokens: 10 };
    // (10 + 10) × 7 + 10 × 9 = 230
    expect(costOf(OPUS, message(usage), { pricing })).toBe('0.00023');
  });
});
