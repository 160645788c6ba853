import { describe, expect, it } from '@jest/globals';
import { missingPrices } from '../src/models/pricing-fields.js';
import { unitsOfUsd } from '../src/contract/money.js';
import { type Asked, costOfOther, NOT_TOLD, perMillion, sse } from './support/cost-vector.js';

// Prices in USD a million tokens: text in, cached; image in, cached; text out, image out.
// gpt-image-1: 5, 1.25; 10, 2.5; 40, 40. gpt-image-1-mini: 2, 0.2; 2.5, 0.25; 8, 8.
// gpt-image-1.5: 5, 1.25; 8, 2; 10, 32. gpt-image-2: 5, 1.25; 8, 2; 30, 30.
// Products below are in millionths of a USD.
const answer = (usage: unknown, more: object = {}) => ({
  ...{ created: 1, data: [{ b64_json: 'AAAA' }], usage },
  ...more,
});
const made = (id: string, reply: unknown, asked: Asked = {}) =>
  costOfOther('images', id, [reply], asked);
const edited = (id: string, reply: unknown) =>
  costOfOther('image-edits', id, [reply], { body: { images: [{ image_url: 'data:,' }] } });
const images = (count: number) => ({
  created: 1,
  data: Array.from({ length: count }, () => ({ url: 'https://images.example/1' })),
});

describe('What images cost by the token', () => {
  const edit = {
    ...{ input_tokens: 431, output_tokens: 1364, total_tokens: 1795 },
    input_tokens_details: { image_tokens: 388, text_tokens: 43 },
    output_tokens_details: { image_tokens: 1056, text_tokens: 308 },
  };

  it('an edit: text and image, in and out, each at its own price', () => {
    // 43 × 5 + 388 × 8 + 308 × 10 + 1,056 × 32 = 215 + 3,104 + 3,080 + 33,792 = 40,191
    expect(edited('openai/gpt-image-1.5', answer(edit))).toBe('0.040191');
    expect(edited('azure-openai/gpt-image-1.5', answer(edit))).toBe('0.040191');
  });

  it('image input tokens are not missing, also where the output is not told apart', () => {
    const usage = {
      ...{ input_tokens: 432, output_tokens: 4160, total_tokens: 4592 },
      input_tokens_details: { image_tokens: 388, text_tokens: 44 },
    };
    // 44 × 5 + 388 × 10 + 4,160 × 40 = 220 + 3,880 + 166,400 = 170,500
    expect(edited('openai/gpt-image-1', answer(usage))).toBe('0.1705');
  });

  it('image output tokens are not priced as text', () => {
    const usage = { input_tokens: 10, output_tokens: 100, total_tokens: 110 };
    // Everything that an image model puts out is image unless it says otherwise.
    // 10 × 5 + 100 × 32 = 50 + 3,200 = 3,250
    expect(made('openai/gpt-image-1.5', answer(usage))).toBe('0.00325');
  });

  it('a small model', () => {
    const usage = {
      ...{ input_tokens: 14, output_tokens: 272, total_tokens: 286 },
      input_tokens_details: { image_tokens: 0, text_tokens: 14 },
      output_tokens_details: { image_tokens: 272, text_tokens: 0 },
    };
    // 14 × 2 + 272 × 8 = 28 + 2,176 = 2,204
    expect(made('openai/gpt-image-1-mini', answer(usage))).toBe('0.002204');
  });

  it('gpt-image-2 is not free although its list has no price for image output', () => {
    const usage = {
      ...{ input_tokens: 50, output_tokens: 1056, total_tokens: 1106 },
      input_tokens_details: { text_tokens: 50, image_tokens: 0 },
      output_tokens_details: { image_tokens: 1056, text_tokens: 0 },
    };
    // 50 × 5 + 1,056 × 30 = 250 + 31,680 = 31,930
    expect(made('openai/gpt-image-2', answer(usage))).toBe('0.03193');
    expect(made('openai/gpt-image-2.6-sunburst', answer(usage))).toBe('0.03193');
  });

  it('cached text and cached images, each once', () => {
    const usage = {
      ...{ input_tokens: 1000, output_tokens: 272 },
      input_tokens_details: {
        ...{ text_tokens: 200, image_tokens: 800 },
        cached_tokens_details: { text_tokens: 50, image_tokens: 300 },
      },
    };
    // 150 × 5 + 50 × 1.25 + 500 × 8 + 300 × 2 + 272 × 32
    // = 750 + 62.5 + 4,000 + 600 + 8,704 = 14,116.5
    expect(edited('openai/gpt-image-1.5', answer(usage))).toBe('0.0141165');
  });

  it('several images in one answer by its tokens, not by the image', () => {
    const usage = { input_tokens: 10, output_tokens: 544 };
    const data = [{ b64_json: 'AAAA' }, { b64_json: 'AAAA' }];
    // 10 × 5 + 544 × 40 = 50 + 21,760 = 21,810
    expect(made('openai/gpt-image-1', answer(usage, { data }))).toBe('0.02181');
  });

  it('a stream: the images that were completed, each with its own usage', () => {
    const usage = { input_tokens: 10, output_tokens: 272, total_tokens: 282 };
    const done = { type: 'image_generation.completed', b64_json: 'AAAA', created_at: 1, usage };
    const partial = { type: 'image_generation.partial_image', b64_json: 'AA', usage };
    // 2 × (10 × 5 + 272 × 40) = 2 × 10,930 = 21,860
    const events = [partial, done, done].map(sse).join('');
    expect(made('openai/gpt-image-1', events)).toBe('0.02186');
  });

  it.each([undefined, null, {}, { input_tokens: 5 }, { input_tokens: 5, output_tokens: -1 }])(
    'nobody knows when the usage is %j',
    (usage) => {
      expect(made('openai/gpt-image-1', answer(usage))).toBe(NOT_TOLD);
    },
  );
});

describe('What images cost by the image', () => {
  it.each([
    [{}, '0.04'],
    [{ size: 'auto', quality: 'auto' }, '0.04'],
    [{ size: '1024x1024', quality: 'standard' }, '0.04'],
    [{ quality: 'hd' }, '0.08'],
    [{ size: '1024x1792' }, '0.08'],
    [{ size: '1792x1024', quality: 'hd' }, '0.12'],
    // Nobody lists these: the dearest.
    [{ size: '999x999', quality: 'hd' }, '0.12'],
  ])('dall-e-3 asked for %j', (body, cost) => {
    expect(made('openai/dall-e-3', images(1), { body })).toBe(cost);
  });

  it.each([
    [1, {}, '0.02'],
    [3, { size: '512x512' }, '0.054'], // 3 × 0.018
    [4, { size: '256x256', n: 4 }, '0.064'], // 4 × 0.016
    // What came is paid, not what was asked for: 1 × 0.02
    [1, { n: 10 }, '0.02'],
  ])('%i of dall-e-2 asked for %j', (count, body, cost) => {
    expect(made('openai/dall-e-2', images(count), { body })).toBe(cost);
  });

  const perImage = {
    '1024x1024/low': unitsOfUsd(0.011),
    '1024x1024/high': unitsOfUsd(0.167),
    '1536x1024/high': unitsOfUsd(0.25),
  };

  it('the size and quality that were made, where they were left to the model', () => {
    const asked = { pricing: { perImage }, body: { size: 'auto', quality: 'auto' } };
    const told = { ...images(2), size: '1536x1024', quality: 'high' };
    // 2 × 0.25
    expect(made('openai/an-image-model', told, asked)).toBe('0.5');
    expect(made('openai/an-image-model', { ...told, size: '1024x1024' }, asked)).toBe('0.334');
  });

  it('the dearest where nobody says what was made', () => {
    const asked = { pricing: { perImage }, body: { size: 'auto', quality: 'auto' } };
    expect(made('openai/an-image-model', images(1), asked)).toBe('0.25');
  });

  it('not nothing, for a model that is priced by the image and tells no usage, as Imagen', () => {
    const pricing = { perImage: unitsOfUsd(0.04) };
    // 4 × 0.04
    expect(made('openai/an-imagen', images(4), { pricing })).toBe('0.16');
    expect(made('openai/an-imagen', { ...images(4), usage: null }, { pricing })).toBe('0.16');
  });

  it('the image and what was read for it, but not its output tokens again', () => {
    const pricing = {
      ...{ perImage: unitsOfUsd(0.04), inputPerToken: perMillion(5) },
      outputPerToken: perMillion(40),
    };
    const usage = { input_tokens: 100, output_tokens: 4160, total_tokens: 4260 };
    // 40,000 + 100 × 5 = 40,500
    expect(made('openai/an-image-model', answer(usage), { pricing })).toBe('0.0405');
  });

  it('a model that makes images has a price for them, or is not served', () => {
    expect(missingPrices(['images'], { inputPerToken: 1n })).toEqual(['output_cost_per_image']);
  });
});
