import { describe, expect, it } from '@jest/globals';
import { unitsOfUsd } from '../contract/money.js';
import { priceList } from './prices.js';

const perMillion = (usd: number) => unitsOfUsd(usd) / 1_000_000n;
const A_CENT = unitsOfUsd(0.01);
const prices = priceList(new Date('2026-11-20T12:00:00Z'));

describe('priceList', () => {
  it('knows text, cached text and output of a chat model', () => {
    expect(prices('openai', 'gpt-4o')).toEqual({
      inputPerToken: 2_500_000n,
      cacheReadPerToken: 1_250_000n,
      outputPerToken: 10_000_000n,
      perWebSearch: A_CENT,
      serviceTiers: { fast: 70, priority: 70, flex: -50 },
    });
  });

  it('knows both lengths of cache writes', () => {
    expect(prices('anthropic', 'claude-opus-4-5-20251101')).toEqual({
      inputPerToken: perMillion(5),
      cacheReadPerToken: perMillion(0.5),
      cacheWritePerToken: perMillion(6.25),
      cacheWrite1hPerToken: perMillion(10),
      outputPerToken: perMillion(25),
      perWebSearch: A_CENT,
    });
  });

  it('knows image tokens', () => {
    expect(prices('openai', 'gpt-image-1.5')).toMatchObject({
      inputPerImageToken: perMillion(8),
      cachedInputPerImageToken: perMillion(2),
      outputPerImageToken: perMillion(32),
    });
  });

  it('carries tiers over, with every rate in them', () => {
    expect(prices('openai', 'gpt-5.5')?.tiers).toEqual([
      {
        aboveInputTokens: 271_999,
        inputPerToken: perMillion(10),
        cacheReadPerToken: perMillion(1),
        outputPerToken: perMillion(45),
        perWebSearch: A_CENT,
      },
    ]);
  });

  it('takes the price that is valid at the moment', () => {
    const before = priceList(new Date('2026-08-20T12:00:00Z'));
    expect(before('openai', 'gpt-5.6-sol')?.inputPerToken).toBe(perMillion(5));
    expect(prices('openai', 'gpt-5.6-sol')?.inputPerToken).toBe(perMillion(4));
    expect(prices('anthropic', 'claude-opus-4-6')?.tiers).toBeUndefined();
  });

  it('takes a price of its own files from its day on', () => {
    const next = priceList(new Date('2026-12-01T00:00:00Z'));
    const eve = priceList(new Date('2026-11-30T23:59:59Z'));
    expect(next('google', 'gemini-4-argon')).toEqual({
      inputPerToken: perMillion(4),
      cacheReadPerToken: perMillion(0.2),
      outputPerToken: perMillion(20),
    });
    expect(next('google', 'gemini-4-carbon')).toEqual(next('google', 'gemini-4-argon'));
    expect(eve('google', 'gemini-4-argon')?.outputPerToken).toBe(perMillion(10));
    expect(next('google', 'gemini-4-neon')).toEqual(eve('google', 'gemini-4-neon'));
  });

  it('does not take a new model for the older one whose name it begins with', () => {
    expect(prices('anthropic', 'claude-sonnet-5')?.cacheReadPerToken).toBe(perMillion(0.2));
    expect(prices('anthropic', 'claude-sonnet-5-5')?.cacheReadPerToken).toBe(perMillion(0.1));
  });

  it('reads its own file, shared lists included', () => {
    expect(prices('openai', 'dall-e-3')).toEqual({
      perImage: expect.objectContaining({
        '1024x1024/standard': unitsOfUsd(0.04),
        '1792x1024/hd': unitsOfUsd(0.12),
      }),
    });
    expect(prices('openai', 'gpt-6.1-sol')).toEqual(prices('openai', 'gpt-6.2-sol'));
    expect(prices('sandbox', 'echo')).toEqual({
      inputPerToken: perMillion(1),
      outputPerToken: perMillion(2),
    });
    expect(prices('sandbox', 'image')).toEqual({ perImage: unitsOfUsd(0.01) });
  });

  it('makes nothing up', () => {
    expect(prices('openai', 'gpt-nope')).toBeUndefined();
    expect(prices('nobody', 'gpt-4o')).toBeUndefined();
  });
});
