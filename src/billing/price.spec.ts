import { describe, expect, it } from '@jest/globals';
import { type Pricing } from '../contract/model.js';
import { unitsOfUsd, usdDecimal } from '../contract/money.js';
import { NO_USAGE, type Usage } from '../contract/usage.js';
import { priceOf } from './price.js';

const perMillion = (usd: number) => unitsOfUsd(usd) / 1_000_000n;
const usd = (
  pricing: Pricing,
  usage: Partial<Usage>,
  image?: { size?: string; quality?: string },
) => usdDecimal(priceOf(pricing, { ...NO_USAGE, ...usage }, image));

/** Claude Opus 4.6: 5 in, 25 out, 0.5 cache read, 6.25 and 10 cache writes, USD a million. */
const opus: Pricing = {
  inputPerToken: perMillion(5),
  outputPerToken: perMillion(25),
  cacheReadPerToken: perMillion(0.5),
  cacheWritePerToken: perMillion(6.25),
  cacheWrite1hPerToken: perMillion(10),
};

/** gpt-image-1.5: text 5 in, 1.25 cached, 10 out; image 8 in, 2 cached, 32 out. */
const gptImage: Pricing = {
  inputPerToken: perMillion(5),
  cacheReadPerToken: perMillion(1.25),
  outputPerToken: perMillion(10),
  inputPerImageToken: perMillion(8),
  cachedInputPerImageToken: perMillion(2),
  outputPerImageToken: perMillion(32),
};

const dalle3: Pricing = {
  perImage: {
    '1024x1024/standard': unitsOfUsd(0.04),
    '1024x1024/hd': unitsOfUsd(0.08),
    '1792x1024/standard': unitsOfUsd(0.08),
    '1792x1024/hd': unitsOfUsd(0.12),
  },
};

describe('priceOf', () => {
  it('prices each count once, at its own rate', () => {
    const usage = {
      inputTokens: 1_000, //             1000 × 0.000005   = 0.005
      cacheReadTokens: 20_000, //       20000 × 0.0000005  = 0.01
      cacheWriteTokens: 400, //           400 × 0.00000625 = 0.0025
      cacheWrite1hTokens: 300, //         300 × 0.00001    = 0.003
      outputTokens: 100, //               100 × 0.000025   = 0.0025
    }; //                                            together 0.023
    expect(usd(opus, usage)).toBe('0.023');
  });

  it('is higher by the surcharge of the tokens, and not of the fees of tools', () => {
    const searches = { webSearches: 1, fileSearches: 2, containerGigabytes: 4 };
    const usage = { inputTokens: 1_000, outputTokens: 1_000, ...searches };
    const fees = { perFileSearch: unitsOfUsd(0.001), perContainerGigabyte: unitsOfUsd(0.0005) };
    // 0.03, and fees of 0.006 + 0.002 + 0.002
    const pricing = { ...opus, perWebSearch: unitsOfUsd(0.006), ...fees };
    expect(usd(pricing, usage)).toBe('0.04');
    expect(usd(pricing, { ...usage, surchargePercent: 100 })).toBe('0.07');
    expect(usd(pricing, { ...usage, surchargePercent: 10 })).toBe('0.043');
  });

  it('stays exact where floating point would not', () => {
    // 3 × 0.000000075 (gpt-4o-mini, cached) = 0.000000225
    expect(usd({ cacheReadPerToken: perMillion(0.075) }, { cacheReadTokens: 3 })).toBe(
      '0.000000225',
    );
    // 999999999 × 0.0006 = 599999.9994
    expect(usd({ outputPerToken: perMillion(600) }, { outputTokens: 999_999_999 })).toBe(
      '599999.9994',
    );
  });

  it('does not charge cached tokens at the full price, nor twice', () => {
    // gpt-4o: 100 fresh × 0.0000025 + 900 cached × 0.00000125 = 0.00025 + 0.001125
    const gpt4o = { inputPerToken: perMillion(2.5), cacheReadPerToken: perMillion(1.25) };
    expect(usd(gpt4o, { inputTokens: 100, cacheReadTokens: 900 })).toBe('0.001375');
  });

  it('charges what has no rate of its own at the next rate that covers it', () => {
    const plain: Pricing = { inputPerToken: perMillion(2), outputPerToken: perMillion(4) };
    expect(usd(plain, { cacheReadTokens: 10 })).toBe('0.00002'); // 10 × 0.000002
    expect(usd(plain, { cacheWriteTokens: 10 })).toBe('0.00002');
    expect(usd(plain, { cacheWrite1hTokens: 10 })).toBe('0.00002');
    expect(usd(plain, { imageInputTokens: 10 })).toBe('0.00002');
    expect(usd(plain, { cachedImageInputTokens: 10 })).toBe('0.00002');
    expect(usd(plain, { imageOutputTokens: 10 })).toBe('0.00004'); // 10 × 0.000004
    const fiveMinutes = { ...plain, cacheWritePerToken: perMillion(2.5) };
    expect(usd(fiveMinutes, { cacheWrite1hTokens: 10 })).toBe('0.000025'); // 10 × 0.0000025
    const cached = { ...plain, cacheReadPerToken: perMillion(0.2) };
    expect(usd(cached, { cachedImageInputTokens: 10 })).toBe('0.000002'); // 10 × 0.0000002
    const image = { ...cached, inputPerImageToken: perMillion(8) };
    expect(usd(image, { cachedImageInputTokens: 10 })).toBe('0.00008'); // 10 × 0.000008
  });

  it('charges nothing where the list says nothing at all', () => {
    expect(usd({}, { inputTokens: 5, outputTokens: 5 })).toBe('0');
  });

  it('prices image tokens apart from text, in and out', () => {
    const usage = {
      inputTokens: 43, //              43 × 0.000005  = 0.000215
      imageInputTokens: 388, //       388 × 0.000008  = 0.003104
      cachedImageInputTokens: 100, // 100 × 0.000002  = 0.0002
      outputTokens: 308, //           308 × 0.00001   = 0.00308
      imageOutputTokens: 1056, //    1056 × 0.000032  = 0.033792
      images: 1, //                              together 0.040391
    };
    expect(usd(gptImage, usage)).toBe('0.040391');
  });

  it('prices a model that only lists text output for images (gpt-image-2)', () => {
    // 120 × 0.00003 = 0.0036
    expect(usd({ outputPerToken: perMillion(30) }, { imageOutputTokens: 120, images: 1 })).toBe(
      '0.0036',
    );
  });

  it('adds the price of a request once', () => {
    const pricing = { inputPerToken: perMillion(1), perRequest: unitsOfUsd(0.005) };
    expect(usd(pricing, { inputTokens: 1_000 })).toBe('0.006'); // 0.001 + 0.005
  });

  describe('tiers', () => {
    const tiered: Pricing = {
      inputPerToken: perMillion(3),
      outputPerToken: perMillion(15),
      cacheReadPerToken: perMillion(0.3),
      tiers: [
        { aboveInputTokens: 500_000, inputPerToken: perMillion(9) },
        {
          aboveInputTokens: 200_000,
          inputPerToken: perMillion(6),
          outputPerToken: perMillion(22.5),
        },
      ],
    };

    it('begin one token above their bound and price the whole call', () => {
      // 200000 × 0.000003 + 1000 × 0.000015 = 0.6 + 0.015
      expect(usd(tiered, { inputTokens: 200_000, outputTokens: 1_000 })).toBe('0.615');
      // 200001 × 0.000006 + 1000 × 0.0000225 = 1.200006 + 0.0225
      expect(usd(tiered, { inputTokens: 200_001, outputTokens: 1_000 })).toBe('1.222506');
    });

    it('count every kind of input, and keep the rates that they do not name', () => {
      // 1 × 0.000006 + 200000 × 0.0000003 = 0.000006 + 0.06
      expect(usd(tiered, { inputTokens: 1, cacheReadTokens: 200_000 })).toBe('0.060006');
      const long: Pricing = { tiers: [{ aboveInputTokens: 10, perRequest: unitsOfUsd(1) }] };
      for (const kind of [
        'inputTokens',
        'cacheReadTokens',
        'cacheWriteTokens',
        'cacheWrite1hTokens',
        'imageInputTokens',
        'cachedImageInputTokens',
      ] as const) {
        expect([usd(long, { [kind]: 10 }), usd(long, { [kind]: 11 })]).toEqual(['0', '1']);
      }
      expect(usd(long, { outputTokens: 11, imageOutputTokens: 11 })).toBe('0');
    });

    it('give way to a higher one, whatever their order', () => {
      // 500001 × 0.000009 + 2 × 0.0000225 = 4.500009 + 0.000045
      expect(usd(tiered, { inputTokens: 500_001, outputTokens: 2 })).toBe('4.500054');
    });
  });

  describe('a price for each image', () => {
    it('covers the output; input tokens are charged beside it', () => {
      const pricing = {
        inputPerToken: perMillion(5),
        outputPerToken: perMillion(40),
        perImage: unitsOfUsd(0.04),
      };
      // 2 × 0.04 + 100 × 0.000005 = 0.0805; 5000 output tokens are in the image's price
      const usage = { images: 2, inputTokens: 100, outputTokens: 5_000, imageOutputTokens: 5_000 };
      expect(usd(pricing, usage)).toBe('0.0805');
    });

    it('leaves an answer without images to the token rates', () => {
      const chat = { outputPerToken: perMillion(2), perImage: unitsOfUsd(0.01) };
      expect(usd(chat, { outputTokens: 10 })).toBe('0.00002');
    });

    it.each([
      [{ size: '1792x1024', quality: 'hd' }, '0.36'], // 3 × 0.12
      [{ size: '1792x1024' }, '0.24'], //                3 × 0.08, standard
      [{ quality: 'hd' }, '0.24'], //                    3 × 0.08, 1024x1024
      [{}, '0.12'], //                                   3 × 0.04
      [{ size: 'auto', quality: 'auto' }, '0.12'],
      [{ size: '4096x4096', quality: 'ultra' }, '0.36'], // unknown: the dearest
      [{ size: 'constructor', quality: '__proto__' }, '0.36'],
    ])('%j costs %s for three', (image, expected) => {
      expect(usd(dalle3, { images: 3 }, image)).toBe(expected);
    });

    it('finds a size that is listed without qualities', () => {
      const perImage = { '256x256': unitsOfUsd(0.016), '1024x1024': unitsOfUsd(0.02) };
      const image = { size: '256x256', quality: 'standard' };
      expect(usd({ perImage }, { images: 2 }, image)).toBe('0.032'); // 2 × 0.016
      expect(usd({ perImage }, { images: 2 })).toBe('0.04'); //         2 × 0.02
    });
  });
});
