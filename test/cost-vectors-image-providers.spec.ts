import { describe, expect, it } from '@jest/globals';
import { worstCase } from '../src/billing/worst-case.js';
import { type SourceImage } from '../src/contract/images.js';
import { unitsOfUsd } from '../src/contract/money.js';
import { priceList } from '../src/models/prices.js';
import { RETIRED } from '../src/models/retired-models.js';
import { PROVIDERS } from '../src/providers/providers.js';
import { costOfOther, NOT_TOLD } from './support/cost-vector.js';
import { png } from './support/images.js';

const PNG = 'iVBORw0KGgo=';
const made = (id: string, answers: readonly unknown[], body: object = {}) =>
  costOfOther('images', id, answers, { body: { prompt: 'A cat', ...body } });
const edited = (
  id: string,
  answers: readonly unknown[],
  images: readonly SourceImage[],
  body: object = {},
) => costOfOther('image-edits', id, answers, { body: { prompt: 'A cat', images, ...body } });
const source = (width: number, height: number): SourceImage => ({
  ...{ file: new Blob(), mediaType: 'image/png', name: 'a.png', pixels: { width, height } },
});
const gemini = (usageMetadata: object) => ({
  candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: PNG } }] } }],
  usageMetadata,
});
const data = (count: number) => ({
  data: Array.from({ length: count }, () => ({ url: 'https://i.example/1' })),
});

describe('What images cost at other providers', () => {
  const usage = {
    ...{ promptTokenCount: 266, candidatesTokenCount: 1134, thoughtsTokenCount: 100 },
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 8 },
      { modality: 'IMAGE', tokenCount: 258 },
    ],
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
  };

  it('a Gemini’s image at the price of images, its words and thoughts at that of text', () => {
    // 266 × 2 + (14 + 100) × 12 + 1,120 × 120 = 532 + 1,368 + 134,400 = 136,300
    expect(made('google/gemini-3-pro-image', [gemini(usage)])).toBe('0.1363');
    // 266 × 1.5 + 114 × 7.5 + 1,120 × 30 = 399 + 855 + 33,600 = 34,854
    expect(made('google/gemini-nano-banana-2.1', [gemini(usage)])).toBe('0.034854');
    expect(made('vertex/gemini-nano-banana-2.1', [gemini(usage)])).toBe('0.034854');
  });

  it('image tokens are not taken for text where Google tells nothing apart', () => {
    const plain = { promptTokenCount: 10, candidatesTokenCount: 1120 };
    // 10 × 2 + 1,120 × 120 = 20 + 134,400
    expect(made('google/gemini-3-pro-image', [gemini(plain)])).toBe('0.13442');
  });

  it('every call of a request that was split', () => {
    const twice = [gemini(usage), gemini(usage)];
    expect(made('google/gemini-3-pro-image', twice, { n: 2 })).toBe('0.2726');
  });

  it.each(['google', 'vertex'])('searches for what a Gemini of %s draws', (provider) => {
    const searched = (...webSearchQueries: string[]) => ({
      ...gemini(usage),
      candidates: [{ ...gemini(usage).candidates[0], groundingMetadata: { webSearchQueries } }],
    });
    const id = `${provider}/gemini-3-pro-image`;
    const body = { tools: [{ google_search: {} }] };
    // 136,300, and 14,000 for each different one
    expect(made(id, [searched('a', 'b', 'a')], body)).toBe('0.1643');
    expect(made(id, [searched('a'), searched('a')], { ...body, n: 2 })).toBe('0.3006');
    expect(made(id, [searched()], body)).toBe('0.1363');
  });

  it('a Gemini that tells no tokens is not free', () => {
    const answer = { ...gemini({}), usageMetadata: undefined };
    expect(made('google/gemini-3-pro-image', [answer])).toBe(NOT_TOLD);
  });

  it('Imagen by the image, filtered ones excepted', () => {
    const predictions = [{ bytesBase64Encoded: PNG }, { raiFilteredReason: 'Filtered.' }];
    expect(made('vertex/imagen-4.0-generate-001', [{ predictions }], { n: 2 })).toBe('0.04');
    expect(made('google/imagen-4.0-ultra-generate-001', [{ predictions }], { n: 2 })).toBe('0.06');
  });

  it('Nova Canvas by size and quality', () => {
    const id = 'bedrock/amazon.nova-canvas-v1:0';
    expect(made(id, [{ images: [PNG] }])).toBe('0.04');
    expect(made(id, [{ images: [PNG] }], { size: '1280x720', quality: 'hd' })).toBe('0.08');
  });

  it('Nova Canvas by the size and quality that are told in its own words', () => {
    const id = 'bedrock/amazon.nova-canvas-v1:0';
    const answer = [{ images: [PNG] }];
    expect(made(id, answer, { width: 2048, height: 1024 })).toBe('0.06');
    const imageGenerationConfig = { width: 1024, height: 2048, quality: 'premium' };
    expect(made(id, answer, { imageGenerationConfig })).toBe('0.08');
    expect(made(id, answer, { imageGenerationConfig: { quality: 'premium' } })).toBe('0.06');
  });

  it('Nova Canvas by what an edit without a size makes, which is as large as its source', () => {
    const answer = { images: [png(2048, 3).toString('base64')] };
    expect(edited('bedrock/amazon.nova-canvas-v1:0', [answer], [source(2048, 3)])).toBe('0.06');
  });

  it('FLUX.2 by the begun megapixel, more for an edit, and the most where the size is not known', () => {
    const answer = { status: 'Ready', result: { sample: 'https://i.example/1.png' } };
    expect(made('bfl/flux-2-pro', [answer])).toBe('0.03');
    expect(made('bfl/flux-2-pro', [answer], { size: '1440x1440' })).toBe('0.045');
    expect(made('bfl/flux-kontext-pro', [answer])).toBe('0.04');
  });

  it('FLUX.2 edits by the begun megapixels of every source image, too', () => {
    const ready = { status: 'Ready', result: { sample: 'https://i.example/1.png' } };
    const size = '1024x1024';
    // 0.03 + 0.015
    expect(edited('bfl/flux-2-pro', [ready], [source(640, 480)], { size })).toBe('0.045');
    // 0.03 + (1 + 2 + 4) × 0.015: what is larger than four is made smaller.
    const three = [source(640, 480), source(1440, 1440), source(6000, 4000)];
    expect(edited('bfl/flux-2-pro', [ready], three, { size })).toBe('0.135');
    // As large as its source: 0.045 + 2 × 0.015
    expect(edited('bfl/flux-2-pro', [ready], [source(1440, 1440)])).toBe('0.075');
    // Nobody knows how large it is: 0.075 + 4 × 0.015
    expect(edited('bfl/flux-2-pro', [ready], [{ url: 'https://i.example/' }])).toBe('0.135');
    // 0.07 + 0.03, 0.05 + 0.05, 0.014 + 0.001
    expect(edited('bfl/flux-2-max', [ready], [source(640, 480)])).toBe('0.1');
    expect(edited('bfl/flux-2-flex', [ready], [source(640, 480)])).toBe('0.1');
    expect(edited('bfl/flux-2-klein-4b', [ready], [source(640, 480)])).toBe('0.015');
    const fal = { images: [{ url: 'https://i.example/1', width: 1024, height: 1024 }] };
    expect(edited('fal/fal-ai/flux-2-pro/edit', [fal], three)).toBe('0.135');
    const replicate = { status: 'succeeded', output: 'https://i.example/1.png' };
    const id = 'replicate/black-forest-labs/flux-2-pro';
    expect(edited(id, [replicate], [source(640, 480)], { size })).toBe('0.045');
    expect(made(id, [replicate])).toBe('0.03');
    const in4 = { resolution: '4 MP', aspect_ratio: '16:9' };
    expect(made(id, [replicate], in4)).toBe('0.075');
    // Which it reads where the shape is custom alone.
    expect(made(id, [replicate], { ...in4, width: 256, height: 256 })).toBe('0.075');
    const custom = { ...in4, aspect_ratio: 'custom', width: 1440, height: 1440 };
    expect(made(id, [replicate], custom)).toBe('0.045');
    expect(made(id, [replicate], { resolution: '0.5 MP' })).toBe('0.03');
    // [klein]'s word for it
    expect(made(id, [replicate], { output_megapixels: '2' })).toBe('0.045');
    const matched = { resolution: 'match_input_image', aspect_ratio: 'match_input_image' };
    // 0.045 + 2 × 0.015, and where nobody knows how large it is 0.075 + 4 × 0.015
    expect(edited(id, [replicate], [source(1440, 1440)], matched)).toBe('0.075');
    const far = { url: 'https://i.example/' };
    expect(edited(id, [replicate], [far], matched)).toBe('0.135');
  });

  it('what Black Forest Labs says that it costs, in credits', () => {
    const ready = { status: 'Ready', result: { sample: 'https://i.example/1.png' } };
    expect(made('bfl/flux-2-pro', [{ ...ready, cost: 4.5 }])).toBe('0.045');
    expect(made('bfl/flux-2-pro', Array(3).fill({ ...ready, cost: 4.5 }), { n: 3 })).toBe('0.135');
    for (const cost of [null, 0, -1, '3', 1e300]) {
      expect(made('bfl/flux-2-pro', [{ ...ready, cost }])).toBe('0.03');
    }
  });

  it('fal by the pixels that came', () => {
    const answer = { images: [{ url: 'https://i.example/1', width: 1536, height: 1024 }] };
    expect(made('fal/fal-ai/flux/dev', [answer])).toBe('0.05');
    const unsized = { images: [{ url: 'https://i.example/1', width: null, height: null }] };
    expect(made('fal/fal-ai/nano-banana-pro', [unsized])).toBe('0.15');
    expect(made('fal/fal-ai/nano-banana-pro', [unsized], { resolution: '4K' })).toBe('0.3');
  });

  it('xAI by resolution and quality', () => {
    expect(made('xai/grok-imagine-image', [data(2)], { n: 2 })).toBe('0.04');
    expect(made('xai/grok-imagine-image-quality', [data(1)])).toBe('0.05');
    expect(made('xai/grok-imagine-image-quality', [data(1)], { resolution: '2k' })).toBe('0.07');
    const low = { quality: 'low', size: '1024x1024' };
    expect(made('xai/grok-imagine-image-2.0', [data(1)], low)).toBe('0.04');
    // Which quality it chose is not told.
    expect(made('xai/grok-imagine-image-2.0', [data(1)])).toBe('0.08');
  });

  it('xAI’s edits by the source image, too', () => {
    const two = [source(640, 480), { url: 'https://i.example/' }];
    // 0.05 + 2 × 0.01, as in a recorded answer
    expect(edited('xai/grok-imagine-image-quality', [data(1)], two)).toBe('0.07');
    // 0.02 + 0.002
    expect(edited('xai/grok-imagine-image', [data(1)], [source(4000, 4000)])).toBe('0.022');
  });

  it('what xAI says that it costs, in parts of 10^10 of a USD', () => {
    const told = (ticks: unknown) => ({ ...data(1), usage: { cost_in_usd_ticks: ticks } });
    expect(made('xai/grok-imagine-image', [told(700000000)])).toBe('0.07');
    expect(made('xai/grok-imagine-image', [told(1)])).toBe('0.0000000001');
    for (const ticks of [null, 0, -1, '5', 1e300]) {
      expect(made('xai/grok-imagine-image', [told(ticks)])).toBe('0.02');
    }
  });

  it('OpenRouter by what it says, or by its tokens, image tokens apart', () => {
    const answer = {
      choices: [{ message: { images: [{ image_url: { url: 'https://i.example/1' } }] } }],
      usage: {
        ...{ prompt_tokens: 10, completion_tokens: 1300 },
        completion_tokens_details: { image_tokens: 1120, reasoning_tokens: 180 },
      },
    };
    const id = 'openrouter/google/gemini-3-pro-image';
    // 10 × 2 + 180 × 12 + 1,120 × 120 = 20 + 2,160 + 134,400
    expect(made(id, [answer])).toBe('0.13658');
    const told = { ...answer, usage: { ...answer.usage, cost: 0.1234567, is_byok: false } };
    expect(made(id, [told])).toBe('0.1234567');
    // What the operator's own key costs at the maker is not in it.
    expect(made(id, [{ ...told, usage: { ...told.usage, is_byok: true } }])).toBe('0.13658');
  });
});

describe('Every model that makes images', () => {
  const price = priceList(new Date('2026-11-20T12:00:00Z'));
  const drawing = PROVIDERS.flatMap(({ name, models }) =>
    models
      .filter(({ endpoints }) => endpoints.some((endpoint) => endpoint.startsWith('image')))
      .map((model) => ({ id: `${name}/${model.name}`, provider: name, model })),
  );

  it.each(drawing.map(({ id, provider, model }) => [id, provider, model] as const))(
    '%s has a price, and something is held before it is called',
    (id, provider, model) => {
      const pricing = price(provider, model.name)!;
      expect(pricing).toBeDefined();
      const ask = { path: '/images/generations', body: askedFor({ model: id, prompt: 'A' }) };
      const row = { ...model, id, provider, pricing, listed: true };
      const held = worstCase(row, ask);
      expect(held).toBeGreaterThan(unitsOfUsd(0.001));
      const two = { ...ask, body: askedFor({ model: id, prompt: 'A', n: 2 }) };
      expect(worstCase(row, two)).toBeGreaterThan(held);
    },
  );

  it('is held for with all its source images', () => {
    const model = drawing.find(({ id }) => id === 'xai/grok-imagine-image-2.0')!;
    const pricing = price('xai', model.model.name)!;
    const row = { ...model.model, ...model, pricing, listed: true };
    const held = (more: object) =>
      worstCase(row, {
        path: '/images/edits',
        body: askedFor({ model: model.id, prompt: 'A', ...more }),
      });
    const images = [source(1, 1), source(1, 1), source(1, 1)];
    expect(held({ images }) - held({})).toBe(unitsOfUsd(0.03));
    expect(held({ images, n: 2 }) - held({ n: 2 })).toBe(unitsOfUsd(0.06));
  });

  it('is offered only while it is served', () => {
    const offered = drawing.map(({ id }) => id).filter((id) => !RETIRED.has(id));
    expect(offered).toEqual(
      expect.arrayContaining(['google/gemini-nano-banana-2.1', 'bfl/flux-2-pro']),
    );
    expect(offered.filter((id) => /imagen-4|nova-canvas|gemini-2.5/.test(id))).toEqual([]);
  });

  it('says how many images a call makes, and whether a mask and addresses are taken', () => {
    const find = (id: string) => drawing.find((row) => row.id === id)?.model.capabilities;
    expect(drawing.filter(({ model }) => !model.capabilities.max_images)).toEqual([]);
    expect(find('bfl/flux-pro-1.0-fill')).toMatchObject({ mask: true, remote_urls: true });
    expect(find('google/gemini-3-pro-image')?.remote_urls).toBeUndefined();
    expect(find('stability/inpaint')).toMatchObject({ mask: true, max_images: 1 });
  });
});

function askedFor(value: object) {
  return { value, bytes: Buffer.from(JSON.stringify(value)) };
}
