import { describe, expect, it } from '@jest/globals';
import { NO_USAGE } from '../../../contract/usage.js';
import { chatUsage, messageUsage } from './openai-chat-usage.js';

describe('openai chat usage', () => {
  const counts = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

  it.each([
    ['OpenAI', { prompt_tokens_details: { cached_tokens: 64 } }],
    ['Writer', { prompt_token_details: { cached_tokens: 64 } }],
    ['Moonshot', { cached_tokens: 64 }],
    ['Mistral', { num_cached_tokens: 64 }],
    ['DeepSeek', { prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }],
    ['Venice', { cache_read_input_tokens: 64 }],
    [
      'a server that says it twice',
      { prompt_tokens_details: { cached_tokens: 64 }, cached_tokens: 64 },
    ],
    ['a server with null details', { prompt_tokens_details: null, cached_tokens: 64 }],
  ])('takes cached tokens out of the prompt where %s reports them, once', (_who, more) => {
    const usage = { ...NO_USAGE, inputTokens: 36, outputTokens: 20, cacheReadTokens: 64 };
    expect(chatUsage({ ...counts, ...more })).toEqual(usage);
  });

  it('keeps what was written to a cache apart', () => {
    const details = { cached_tokens: 10, cache_write_tokens: 30 };
    expect(chatUsage({ ...counts, prompt_tokens_details: details })).toMatchObject({
      inputTokens: 60,
      cacheReadTokens: 10,
      cacheWriteTokens: 30,
    });
    expect(chatUsage({ ...counts, cache_creation_input_tokens: 30 })).toMatchObject({
      inputTokens: 70,
      cacheWriteTokens: 30,
    });
  });

  it('never counts below nothing when a provider reports more cached than sent', () => {
    const details = { cached_tokens: 161 };
    expect(
      chatUsage({ prompt_tokens: 24, completion_tokens: 2, prompt_tokens_details: details }),
    ).toMatchObject({ inputTokens: 0, cacheReadTokens: 161 });
  });

  it.each([
    ['none cached', { audio_tokens: 30, cached_tokens: 0 }, [30, 0]],
    ['as few cached as can be', { audio_tokens: 30, cached_tokens: 60 }, [30, 0]],
    [
      'cached where there is more of it than is not',
      { audio_tokens: 70, cached_tokens: 60 },
      [40, 30],
    ],
    ['never more than was sent', { audio_tokens: 900, cached_tokens: 60 }, [40, 60]],
    ['nothing that is no count', { audio_tokens: -1, cached_tokens: 60 }, [0, 0]],
  ])('counts sound apart: %s', (_which, prompt_tokens_details, [fresh, cached]) => {
    const usage = chatUsage({ prompt_tokens: 100, completion_tokens: 2, prompt_tokens_details })!;
    expect([usage.audioInputTokens, usage.cachedAudioInputTokens]).toEqual([fresh, cached]);
  });

  it.each([
    ['outside the completion, as the total shows', 168, 48, 68],
    ['inside it', 120, 12, 20],
    ['beyond it, without a total that shows it', 120, 48, 20],
  ])('charges for reasoning %s', (_where, total_tokens, reasoning_tokens, output) => {
    const usage = { ...counts, total_tokens, completion_tokens_details: { reasoning_tokens } };
    expect(chatUsage(usage)?.outputTokens).toBe(output);
  });

  it.each([
    undefined,
    null,
    'x',
    { prompt_tokens: 5 },
    { completion_tokens: 5 },
    { prompt_tokens: -1, completion_tokens: 2 },
    { prompt_tokens: 1.5, completion_tokens: 2 },
  ])('reads nothing from %j', (wire) => {
    expect(chatUsage(wire)).toBeUndefined();
  });

  it('tells the tokens of thinking where they are known, and never more than all', () => {
    const told = (wire: object) => {
      const usage = chatUsage({ ...counts, ...wire })!;
      return messageUsage(usage, { ...counts, ...wire }).output_tokens_details;
    };
    expect(told({})).toBeUndefined();
    expect(told({ reasoning_tokens: 7 })).toEqual({ thinking_tokens: 7 });
    expect(told({ completion_tokens_details: { reasoning_tokens: 90 } })).toEqual({
      thinking_tokens: 20,
    });
  });
});
