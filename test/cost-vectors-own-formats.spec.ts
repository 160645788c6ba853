import { describe, expect, it } from '@jest/globals';
import { costOf, costOfStream, NOT_TOLD, perMillion } from './support/cost-vector.js';

// Prices in USD a million tokens; products in millionths of a USD.

describe('What Cohere costs', () => {
  const answer = (usage: unknown) => ({
    ...{ id: '1', finish_reason: 'COMPLETE', usage },
    message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  });
  const stream = (usage: unknown) => [
    { type: 'message-start', id: '1', delta: { message: { role: 'assistant' } } },
    {
      ...{ type: 'content-start', index: 0 },
      delta: { message: { content: { type: 'text', text: '' } } },
    },
    { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hi' } } } },
    { type: 'content-end', index: 0 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage } },
  ];
  // Command A: 2.5 in, 10 out. Command R7B: 0.0375 in, 0.15 out.
  const COMMAND = 'cohere/command-a-03-2025';

  it('the billed units, not all the tokens that it read', () => {
    const usage = {
      billed_units: { input_tokens: 57, output_tokens: 11 },
      ...{ tokens: { input_tokens: 1713, output_tokens: 25 }, cached_tokens: 112 },
    };
    // 57 × 2.5 + 11 × 10 = 142.5 + 110 = 252.5
    expect(costOf(COMMAND, answer(usage))).toBe('0.0002525');
    expect(costOf(COMMAND, answer(usage), { format: 'openai' })).toBe('0.0002525');
  });

  it('the billed units of a stream', async () => {
    const usage = {
      billed_units: { input_tokens: 70, output_tokens: 1 },
      ...{ tokens: { input_tokens: 1478, output_tokens: 3 }, cached_tokens: 704 },
    };
    // 70 × 2.5 + 1 × 10 = 175 + 10 = 185
    expect(await costOfStream(COMMAND, stream(usage))).toBe('0.000185');
  });

  it('all tokens where nothing says what is billed', () => {
    const usage = { tokens: { input_tokens: 11, output_tokens: 8 } };
    // 11 × 0.0375 + 8 × 0.15 = 0.4125 + 1.2 = 1.6125
    expect(costOf('cohere/command-r7b-12-2024', answer(usage))).toBe('0.0000016125');
  });

  it('nothing for a model that is free', () => {
    const usage = { billed_units: { input_tokens: 1000, output_tokens: 1000 } };
    expect(costOf('cohere/command-a-plus-05-2026', answer(usage))).toBe('0');
  });

  it.each([undefined, {}, { billed_units: { input_tokens: -1, output_tokens: 1 } }])(
    'nobody knows when the usage is %j',
    async (usage) => {
      expect(costOf(COMMAND, answer(usage))).toBe(NOT_TOLD);
      expect(await costOfStream(COMMAND, stream(usage))).toBe(NOT_TOLD);
    },
  );
});

describe("What Bedrock's Converse costs", () => {
  const answer = (usage: unknown) => ({
    output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
    ...{ stopReason: 'end_turn', usage, metrics: { latencyMs: 1 } },
  });
  const stream = (usage: unknown) => [
    { messageStart: { role: 'assistant' } },
    { contentBlockDelta: { contentBlockIndex: 0, delta: { text: 'Hi' } } },
    { contentBlockStop: { contentBlockIndex: 0 } },
    { messageStop: { stopReason: 'end_turn' } },
    { metadata: { usage, metrics: { latencyMs: 1 } } },
  ];
  const NOVA = 'bedrock/amazon.nova-lite-v1:0';

  it('plain', () => {
    const usage = { inputTokens: 434, outputTokens: 21, totalTokens: 455, serverToolUsage: {} };
    // Nova Lite: 0.06 in, 0.24 out. 434 × 0.06 + 21 × 0.24 = 26.04 + 5.04 = 31.08
    expect(costOf(NOVA, answer(usage))).toBe('0.00003108');
  });

  it('of a stream, which tells it behind its end', async () => {
    const usage = { inputTokens: 523, outputTokens: 72, totalTokens: 595 };
    // 523 × 0.06 + 72 × 0.24 = 31.38 + 17.28 = 48.66
    expect(await costOfStream(NOVA, stream(usage))).toBe('0.00004866');
    expect(await costOfStream(NOVA, stream(usage), { format: 'openai' })).toBe('0.00004866');
  });

  it('cached tokens beside the input and not in it, whole and streamed', async () => {
    const usage = {
      ...{ inputTokens: 12, outputTokens: 250, totalTokens: 1290 },
      ...{ cacheReadInputTokens: 1028, cacheReadInputTokenCount: 1028, cacheWriteInputTokens: 0 },
    };
    // Nova Pro: 0.8 in, 0.2 read, 3.2 out
    // 12 × 0.8 + 1,028 × 0.2 + 250 × 3.2 = 9.6 + 205.6 + 800 = 1,015.2
    expect(costOf('bedrock/us.amazon.nova-pro-v1:0', answer(usage))).toBe('0.0010152');
    expect(await costOfStream('bedrock/us.amazon.nova-pro-v1:0', stream(usage))).toBe('0.0010152');
  });

  it('a cache write without a price of its own as input', () => {
    const usage = {
      ...{ inputTokens: 11, outputTokens: 236, totalTokens: 1275 },
      ...{ cacheReadInputTokens: 0, cacheWriteInputTokens: 1028 },
    };
    // 11 × 0.8 + 1,028 × 0.8 + 236 × 3.2 = 8.8 + 822.4 + 755.2 = 1,586.4
    expect(costOf('bedrock/us.amazon.nova-pro-v1:0', answer(usage))).toBe('0.0015864');
  });

  it('cache writes for five minutes and for an hour', async () => {
    const pricing = {
      ...{ inputPerToken: perMillion(3), outputPerToken: perMillion(15) },
      ...{ cacheWritePerToken: perMillion(3.75), cacheWrite1hPerToken: perMillion(6) },
    };
    const usage = {
      ...{ inputTokens: 10, outputTokens: 20, cacheWriteInputTokens: 1000 },
      cacheDetails: [
        { ttl: '5m', inputTokens: 400 },
        { ttl: '1h', inputTokens: 600 },
      ],
    };
    // 10 × 3 + 400 × 3.75 + 600 × 6 + 20 × 15 = 30 + 1,500 + 3,600 + 300 = 5,430
    expect(costOf(NOVA, answer(usage), { pricing })).toBe('0.00543');
    expect(await costOfStream(NOVA, stream(usage), { pricing })).toBe('0.00543');
  });

  it('nothing where a guardrail stepped in before the model', () => {
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    expect(costOf(NOVA, answer(usage))).toBe('0');
  });

  it('the models of other makers', () => {
    // gpt-oss-120b: 0.15 in, 0.6 out. 100 × 0.15 + 50 × 0.6 = 15 + 30 = 45
    const usage = { inputTokens: 100, outputTokens: 50, totalTokens: 150 };
    expect(costOf('bedrock/openai.gpt-oss-120b-1:0', answer(usage))).toBe('0.000045');
  });

  it.each([undefined, { inputTokens: 5 }, { inputTokens: 5, outputTokens: -1 }])(
    'nobody knows when the usage is %j',
    async (usage) => {
      expect(costOf(NOVA, answer(usage))).toBe(NOT_TOLD);
      expect(await costOfStream(NOVA, stream(usage))).toBe(NOT_TOLD);
    },
  );
});
