import { describe, expect, it } from '@jest/globals';
import { type Asked, costOf, costOfStream, NOT_TOLD, perMillion } from './support/cost-vector.js';

// Prices in USD a million tokens, in the order input, cached input, output; products in millionths.
const CHAT: Asked = { format: 'openai' };
const both: Asked[] = [CHAT, {}];

const completion = (usage: unknown) => ({
  ...{ id: '1', object: 'chat.completion', created: 1, model: 'm', usage },
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
});
const chunk = (more: object = {}, finish_reason: string | null = null, content = 'Hi') => ({
  ...{ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta: { content }, finish_reason }],
  ...more,
});
const chunks = (usage: unknown) => [chunk(), chunk({}, 'stop', ''), chunk({ choices: [], usage })];

describe('What xAI costs', () => {
  // Grok 4 Fast: 0.2, 0.05, 0.5. Grok 4: 3, 0.75, 15. Grok 4.3: 1.25, 0.2, 2.5.
  it('reasoning that is outside of the completion, as its own bill says: 172.4', () => {
    const usage = {
      ...{ prompt_tokens: 436, completion_tokens: 68, total_tokens: 652 },
      prompt_tokens_details: { text_tokens: 436, image_tokens: 0, cached_tokens: 152 },
      completion_tokens_details: { reasoning_tokens: 148 },
      cost_in_usd_ticks: 1_724_000,
    };
    // 284 × 0.2 + 152 × 0.05 + (68 + 148) × 0.5 = 56.8 + 7.6 + 108 = 172.4
    expect(costOf('xai/grok-4-fast-reasoning', completion(usage), CHAT)).toBe('0.0001724');
  });

  it.each(both)('the same of a stream, as its own bill says: 148.7 (%j)', async (asked) => {
    const usage = {
      ...{ prompt_tokens: 361, completion_tokens: 26, total_tokens: 622 },
      prompt_tokens_details: { cached_tokens: 360 },
      completion_tokens_details: { reasoning_tokens: 235 },
      cost_in_usd_ticks: 1_487_000,
    };
    // 1 × 0.2 + 360 × 0.05 + (26 + 235) × 0.5 = 0.2 + 18 + 130.5 = 148.7
    const cost = await costOfStream('xai/grok-4-fast-reasoning', chunks(usage), asked);
    expect(cost).toBe('0.0001487');
  });

  it('the same of an older model', () => {
    const usage = {
      ...{ prompt_tokens: 65, completion_tokens: 5, total_tokens: 197 },
      prompt_tokens_details: { cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 127 },
    };
    // 63 × 3 + 2 × 0.75 + (5 + 127) × 15 = 189 + 1.5 + 1,980 = 2,170.5
    expect(costOf('xai/grok-4-0709', completion(usage))).toBe('0.0021705');
  });

  it('reasoning inside of the completion, as the total shows, once', () => {
    const usage = {
      ...{ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
      completion_tokens_details: { reasoning_tokens: 12 },
    };
    // 100 × 1.25 + 20 × 2.5 = 125 + 50 = 175
    expect(costOf('xai/grok-4.3', completion(usage), CHAT)).toBe('0.000175');
  });

  it('a long prompt', () => {
    // Grok 4.5 above 200,000: 4, 0.6, 12. 200,001 × 4 + 10 × 12 = 800,124
    const usage = { prompt_tokens: 200_001, completion_tokens: 10 };
    expect(costOf('xai/grok-4.5', completion(usage), CHAT)).toBe('0.800124');
  });

  it.each(both)('a stream that counts in every chunk (%j)', async (asked) => {
    const so = (completion_tokens: number) => ({
      usage: { prompt_tokens: 270, completion_tokens, total_tokens: 270 + completion_tokens },
    });
    // 270 × 1.25 + 2 × 2.5 = 337.5 + 5 = 342.5
    const events = [chunk(so(1)), chunk(so(2), 'stop')];
    expect(await costOfStream('xai/grok-4.3', events, asked)).toBe('0.0003425');
  });

  it('more cached than sent, all of it as cached', () => {
    const usage = {
      ...{ prompt_tokens: 24, completion_tokens: 2, total_tokens: 26 },
      prompt_tokens_details: { cached_tokens: 161 },
    };
    // 161 × 0.05 + 2 × 0.5 = 8.05 + 1 = 9.05
    expect(costOf('xai/grok-4-fast-non-reasoning', completion(usage), CHAT)).toBe('0.00000905');
  });
});

describe('What providers of the OpenAI format cost', () => {
  it.each(both)('DeepSeek, with what its cache hit (%j)', async (asked) => {
    const usage = {
      ...{ prompt_tokens: 404, completion_tokens: 48, total_tokens: 452 },
      ...{ prompt_cache_hit_tokens: 384, prompt_cache_miss_tokens: 20 },
    };
    // 0.3, 0.006, 1.2. 20 × 0.3 + 384 × 0.006 + 48 × 1.2 = 6 + 2.304 + 57.6 = 65.904
    const twice = { ...usage, prompt_tokens_details: { cached_tokens: 384 } };
    expect(costOf('deepseek/deepseek-v4-flash', completion(usage), asked)).toBe('0.000065904');
    expect(await costOfStream('deepseek/deepseek-v4-flash', chunks(twice), asked)).toBe(
      '0.000065904',
    );
  });

  it('DeepSeek, with reasoning in the completion', () => {
    const usage = {
      ...{ prompt_tokens: 18, completion_tokens: 22, total_tokens: 40 },
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    // 18 × 0.3 + 22 × 1.2 = 5.4 + 26.4 = 31.8
    expect(costOf('deepseek/deepseek-v4-flash', completion(usage))).toBe('0.0000318');
  });

  it.each(both)('Groq, which tells the same counts in three places (%j)', async (asked) => {
    const usage = {
      ...{ prompt_tokens: 1795, completion_tokens: 16, total_tokens: 1811 },
      prompt_tokens_details: { cached_tokens: 1792 },
      completion_tokens_details: { reasoning_tokens: 14 },
    };
    const groq = { usage, x_groq: { id: 'req_1', usage } };
    const events = [chunk(), chunk(groq, 'stop', ''), chunk({ choices: [], usage })];
    // gpt-oss-20b: 0.075, 0.0375, 0.3
    // 3 × 0.075 + 1,792 × 0.0375 + 16 × 0.3 = 0.225 + 67.2 + 4.8 = 72.225
    expect(await costOfStream('groq/openai/gpt-oss-20b', events, asked)).toBe('0.000072225');
  });

  it.each(both)('Groq, where a stream has its counts in a place of its own (%j)', async (asked) => {
    const usage = { prompt_tokens: 493, completion_tokens: 105, total_tokens: 598 };
    const events = [chunk(), chunk({ x_groq: { usage } }, 'stop', '')];
    // Llama 3.3 70B: 0.59 in, 0.79 out. 493 × 0.59 + 105 × 0.79 = 290.87 + 82.95 = 373.82
    const cost = await costOfStream('groq/llama-3.3-70b-versatile', events, asked);
    expect(cost).toBe('0.00037382');
  });

  it.each(both)('Moonshot, whose stream has them in the choice that ends (%j)', async (asked) => {
    const usage = { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50, cached_tokens: 10 };
    const last = { index: 0, delta: {}, finish_reason: 'stop', usage };
    // Kimi K2.6: 0.95, 0.16, 4. 10 × 0.95 + 10 × 0.16 + 30 × 4 = 9.5 + 1.6 + 120 = 131.1
    const events = [chunk(), chunk({ choices: [last] })];
    expect(await costOfStream('moonshot/kimi-k2.6', events, asked)).toBe('0.0001311');
    expect(costOf('moonshot/kimi-k2.6', completion(usage), asked)).toBe('0.0001311');
  });

  it('text that speaks of "usage" is no usage', async () => {
    const events = [chunk({}, 'stop', '{"usage":{"prompt_tokens":1,"completion_tokens":1}}')];
    expect(await costOfStream('groq/llama-3.3-70b-versatile', events, CHAT)).toBe(NOT_TOLD);
  });

  it('Mistral, with cached tokens in either place', async () => {
    const usage = { prompt_tokens: 52, completion_tokens: 9, total_tokens: 61 };
    const details = { ...usage, prompt_tokens_details: { cached_tokens: 32 } };
    // Small: 0.15, 0.015, 0.6. 20 × 0.15 + 32 × 0.015 + 9 × 0.6 = 3 + 0.48 + 5.4 = 8.88
    const id = 'mistral/mistral-small-latest';
    expect(costOf(id, completion(details), CHAT)).toBe('0.00000888');
    expect(await costOfStream(id, chunks({ ...usage, num_cached_tokens: 32 }))).toBe('0.00000888');
  });

  it('OpenRouter, as its own bill says: 252.4, and 450 where only the answer counted', async () => {
    const usage = {
      ...{ prompt_tokens: 808, completion_tokens: 4, total_tokens: 812, cost: 0.0002524 },
      prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    };
    // Gemini 2.5 Flash: 0.3, 0.03, 2.5. 808 × 0.3 + 4 × 2.5 = 242.4 + 10 = 252.4
    const id = 'openrouter/google/gemini-2.5-flash';
    expect(await costOfStream(id, chunks(usage), CHAT)).toBe('0.0002524');
    // 180 × 2.5 = 450
    const other = { prompt_tokens: 0, completion_tokens: 180, cost: 0.00045 };
    expect(costOf(id, completion(other), CHAT)).toBe('0.00045');
  });

  it('OpenRouter, a cache write at its own price', () => {
    const usage = {
      ...{ prompt_tokens: 3000, completion_tokens: 10 },
      prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 1500 },
    };
    // Haiku 4.5: 1, 0.1, 5, written 1.25
    // 500 × 1 + 1,000 × 0.1 + 1,500 × 1.25 + 10 × 5 = 500 + 100 + 1,875 + 50 = 2,525
    expect(costOf('openrouter/anthropic/claude-haiku-4.5', completion(usage))).toBe('0.002525');
  });

  it.each(both)(
    'images in a chat at the price of images, whole and streamed (%j)',
    async (asked) => {
      const pricing = {
        ...{ inputPerToken: perMillion(0.3), outputPerToken: perMillion(2.5) },
        outputPerImageToken: perMillion(30),
      };
      const usage = {
        ...{ prompt_tokens: 8, completion_tokens: 1302, total_tokens: 1310 },
        completion_tokens_details: { image_tokens: 1290, reasoning_tokens: 0 },
      };
      // 8 × 0.3 + 12 × 2.5 + 1,290 × 30 = 2.4 + 30 + 38,700 = 38,732.4
      const id = 'openrouter/google/gemini-2.5-flash-image';
      expect(costOf(id, completion(usage), { ...asked, pricing })).toBe('0.0387324');
      expect(await costOfStream(id, chunks(usage), { ...asked, pricing })).toBe('0.0387324');
    },
  );

  it.each(both)('what hears, with a price of its own for sound (%j)', async (asked) => {
    const pricing = {
      ...{ inputPerToken: perMillion(2.5), outputPerToken: perMillion(10) },
      inputPerAudioToken: perMillion(32),
    };
    const usage = {
      ...{ prompt_tokens: 1000, completion_tokens: 10, total_tokens: 1010 },
      prompt_tokens_details: { audio_tokens: 900, text_tokens: 100, cached_tokens: 0 },
    };
    // 100 × 2.5 + 900 × 32 + 10 × 10 = 250 + 28,800 + 100 = 29,150
    const id = 'openrouter/openai/gpt-audio';
    expect(costOf(id, completion(usage), { ...asked, pricing })).toBe('0.02915');
    expect(await costOfStream(id, chunks(usage), { ...asked, pricing })).toBe('0.02915');
  });

  it('Together, with cached tokens and reasoning in the completion', () => {
    const usage = {
      ...{ prompt_tokens: 474, completion_tokens: 40, total_tokens: 514, reasoning_tokens: 36 },
      prompt_tokens_details: { cached_tokens: 256 },
    };
    // DeepSeek V4 Pro: 1.32, 0.13, 3.96
    // 218 × 1.32 + 256 × 0.13 + 40 × 3.96 = 287.76 + 33.28 + 158.4 = 479.44
    const id = 'together/deepseek-ai/DeepSeek-V4-Pro-0813';
    expect(costOf(id, completion(usage), CHAT)).toBe('0.00047944');
  });

  it.each(both)('Perplexity, with the fee of the request once (%j)', async (asked) => {
    const so = (completion_tokens: number) => ({
      usage: { prompt_tokens: 7, completion_tokens, search_context_size: 'high' },
    });
    // Sonar: 1 in, 1 out, 12,000 a request. 7 × 1 + 2 × 1 + 12,000 = 12,009
    const events = [chunk(so(1)), chunk(so(1)), chunk(so(2), 'stop')];
    expect(await costOfStream('perplexity/sonar', events, asked)).toBe('0.012009');
  });

  it.each([
    // GLM 4.7: 0.6, 0.11, 2.2. 236 × 0.6 + 43 × 0.11 + 131 × 2.2 = 141.6 + 4.73 + 288.2 = 434.53
    ['zai/glm-4.7', [279, 43, 131], '0.00043453'],
    // gpt-oss-120b: 0.35 in, 0.75 out. 122 × 0.35 + 88 × 0.75 = 42.7 + 66 = 108.7
    ['cerebras/gpt-oss-120b', [122, 0, 88], '0.0001087'],
    // M3: 0.3, 0.06, 1.2; above 512,000: 0.6, 0.12, 2.4
    // 512,001 × 0.6 + 10 × 2.4 = 307,200.6 + 24 = 307,224.6
    ['minimax/MiniMax-M3', [512_001, 0, 10], '0.3072246'],
    // Llama 3.3 70B: 0.59 in, 0.79 out. 80 × 0.59 + 38 × 0.79 = 47.2 + 30.02 = 77.22
    ['groq/llama-3.3-70b-versatile', [80, 0, 38], '0.00007722'],
    // Less than nothing is no count: 10 × 0.59 + 1 × 0.79 = 6.69
    ['groq/llama-3.3-70b-versatile', [10, -5, 1], '0.00000669'],
  ] as const)('%s for %j', (id, [prompt_tokens, cached_tokens, completion_tokens], cost) => {
    const usage = { prompt_tokens, completion_tokens, prompt_tokens_details: { cached_tokens } };
    expect(costOf(id, completion(usage), CHAT)).toBe(cost);
  });
});
