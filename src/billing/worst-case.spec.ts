import { describe, expect, it } from '@jest/globals';
import { type Model, type Pricing } from '../contract/model.js';
import { worstCase } from './worst-case.js';

const model = (pricing: Pricing, limits: Partial<Model> = {}): Model => ({
  ...{ id: 'p/m', provider: 'p', name: 'm', created: 0, listed: true, capabilities: {} },
  ...{ endpoints: ['messages'], pricing },
  ...limits,
});
const ask = (path: string, value: object) => ({
  path,
  body: { value, bytes: Buffer.from(JSON.stringify(value)) },
});
const messages = (value: object) => ask('/v1/messages', value);

/** 30 bytes of text, so 10 tokens. */
const text = { text: 'x'.repeat(30) };

const ran = (memory_limit: string) => ({
  type: 'code_interpreter',
  container: { type: 'auto', memory_limit },
});

describe('worstCase', () => {
  it.each([
    ['p/m', 1_600],
    ['openai/gpt-4o-mini-2024-07-18', 48_169],
    ['openrouter/openai/gpt-4.1-nano', 3_779],
    ['openai/gpt-5.4-nano', 12_000],
    ['anthropic/claude-haiku-4-5', 1_600],
    ['bedrock/anthropic.claude-opus-4-7', 4_784],
    ['openrouter/anthropic/claude-opus-4.8', 4_784],
    ['anthropic/claude-fable-5-1', 4_784],
  ])('counts an image as the most that %s reads it as', (id, tokens) => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const seeing = messages({ messages: [{ role: 'user', content: [image, image] }] });
    const most = worstCase(model({ inputPerToken: 1n }, { id }), seeing);
    // The mark of the turn, and the words that say what there is.
    const beside = 12n;
    expect(most).toBe(BigInt(2 * tokens) + beside);
    const cameAs = seeing.body.value;
    const without = { ...seeing, body: { ...seeing.body, value: {} } };
    expect(worstCase(model({ inputPerToken: 1n }, { id }), { ...without, cameAs })).toBe(most);
  });

  it('is the input at its dearest rate and as much output as was asked for', () => {
    const pricing = { inputPerToken: 3n, cacheWritePerToken: 4n, outputPerToken: 15n };
    // 11 = 10 and the number itself, × 4 + 7 × 15
    expect(worstCase(model(pricing), messages({ ...text, max_tokens: 7 }))).toBe(149n);
  });

  it('is twice as much for a faster answer, and a tenth more for one made in the United States', () => {
    const pricing = { inputPerToken: 3n, cacheWritePerToken: 4n, outputPerToken: 15n };
    const asked = { ...text, max_tokens: 7, speed: 'fast' };
    // 13 = 10, the number itself and the word, × 4 + 7 × 15
    expect(worstCase(model(pricing), messages(asked))).toBe(2n * 157n);
    const domestic = { ...text, max_tokens: 7, inference_geo: 'us' };
    // 12 × 4 + 7 × 15, and a tenth
    expect(worstCase(model(pricing), messages(domestic))).toBe(169n);
  });

  it('takes an hour of cache for possible only where the request says so', () => {
    const pricing = { inputPerToken: 3n, cacheWritePerToken: 4n, cacheWrite1hPerToken: 6n };
    expect(worstCase(model(pricing), messages(text))).toBe(40n);
    // 32 bytes: 11 tokens
    expect(worstCase(model(pricing), messages({ ...text, ttl: '1h' }))).toBe(66n);
  });

  it('takes sound for possible only where the request speaks of some', () => {
    const pricing = { inputPerToken: 3n, inputPerAudioToken: 10n };
    expect(worstCase(model(pricing), messages(text))).toBe(30n);
    // 35 bytes: 12 tokens
    expect(worstCase(model(pricing), messages({ ...text, type: 'audio' }))).toBe(120n);
  });

  it.each([
    ['as many searches as are allowed', [{ type: 'web_search_20250305', max_uses: 8 }], 8n],
    ['five where no bound is set', [{ type: 'web_search_preview' }, { type: 'custom' }], 5n],
    ['five of Google’s own', [{ googleSearch: {} }], 5n],
    ['five of Google’s own in its other spelling', [{ google_search_retrieval: {} }], 5n],
    ['none without a tool for it', [{ name: 'web_search' }, null], 0n],
  ])('holds the fees of %s', (_, tools, searches) => {
    const pricing = { perWebSearch: 1_000_000n };
    expect(worstCase(model(pricing), messages({ tools }))).toBe(searches * 1_000_000n);
  });

  it.each([
    ['five where a chat asks for them', {}, 5n],
    ['none where it does not', null, 0n],
  ])('holds the fees of %s', (_, options, searches) => {
    const pricing = { perWebSearch: 1_000_000n };
    const chat = ask('/chat/completions', { web_search_options: options });
    expect(worstCase(model(pricing), chat)).toBe(searches * 1_000_000n);
  });

  it.each([
    ['searches of files', { tools: [{ type: 'file_search' }] }, 5n],
    ['as many as are allowed', { tools: [{ type: 'file_search' }], max_tool_calls: 2 }, 2n],
    ['a container of the usual size', { tools: [{ type: 'code_interpreter' }] }, 10n],
    ['one of a size', { tools: [ran('4g')] }, 40n],
    ['one of a size that nobody knows', { tools: [ran('4 GB')] }, 640n],
    ['each of several', { tools: [ran('4g'), ran('16g')] }, 200n],
    [
      'none of the caller’s own',
      { tools: [{ type: 'shell', environment: { type: 'local' } }] },
      0n,
    ],
  ])('holds the fees of %s', (_, body, units) => {
    const pricing = { perFileSearch: 1n, perContainerGigabyte: 10n };
    expect(worstCase(model(pricing), messages(body))).toBe(units);
  });

  it.each([
    ['two', {}, {}, 2n * 6_240n],
    ['as many as are allowed', {}, { max_tool_calls: 3 }, 3n * 6_240n],
    ['those of a size and quality', { size: '1024x1024', quality: 'low' }, {}, 2n * 272n],
    ['each frame of a film', { output_format: 'gif', quality: 'low' }, {}, 18n * 408n],
  ])('holds for the pictures of another model: %s', (_, tool, body, tokens) => {
    const tools = [{ type: 'image_generation', ...tool }];
    const helper = model({ outputPerToken: 1n });
    expect(worstCase(model({}), { ...messages({ ...body, tools }), helper })).toBe(tokens);
  });

  it.each([
    ['what was asked for', { max_tokens: 5 }, {}, 5n],
    ['it of each of n answers', { max_completion_tokens: 5, n: 3 }, {}, 15n],
    ['the highest of several bounds', { max_tokens: 1, max_output_tokens: 5 }, {}, 5n],
    ['the highest of several bounds', { max_tokens: 1, max_completion_tokens: 5 }, {}, 5n],
    ['no more than the model writes', { max_tokens: 500 }, { maxOutputTokens: 100 }, 100n],
    ['what the model writes at most', {}, { maxOutputTokens: 100, contextLength: 900 }, 100n],
    ['what the model holds at most', {}, { contextLength: 900 }, 900n],
    ['16,384 where nothing is known', {}, {}, 16_384n],
  ])('counts as output %s', (_, body, limits, tokens) => {
    expect(worstCase(model({ outputPerToken: 1n }, limits), messages(body))).toBe(tokens);
  });

  it('is the dearest of the tiers that the input reaches', () => {
    const tiers = [
      { aboveInputTokens: 9, inputPerToken: 20n },
      { aboveInputTokens: 10, inputPerToken: 300n },
    ];
    expect(worstCase(model({ inputPerToken: 3n, tiers }), messages(text))).toBe(200n);
  });

  it('counts every byte outside of ASCII as a token', () => {
    const pricing = { inputPerToken: 1n, outputPerToken: 0n };
    for (const wide of ['é'.repeat(10), '中'.repeat(10), '😀'.repeat(10)]) {
      const most = worstCase(model(pricing), messages({ text: wide }));
      expect(most).toBeGreaterThanOrEqual(BigInt(Buffer.byteLength(wide)));
    }
  });

  it('of embeddings is the input alone', () => {
    const pricing = { inputPerToken: 2n, outputPerToken: 50n, perRequest: 5n };
    expect(worstCase(model(pricing), ask('/embeddings', { input: text.text }))).toBe(25n);
  });

  it('of embeddings is that of a provider’s own field once with each input', () => {
    const pricing = { inputPerToken: 1n };
    const most = (fields: object) => worstCase(model(pricing), ask('/embeddings', fields));
    const input = Array.from({ length: 100 }, () => 'x');
    const title = text.text;
    expect(most({ input, title }) - most({ input })).toBe(100n * 10n);
    expect(most({ input: 'x', title }) - most({ input: 'x' })).toBe(10n);
    const said = { user: title, metadata: { title }, model: 'p/m' };
    expect(most({ input, ...said }) - most({ input })).toBeLessThan(100n);
  });

  it.each([
    [{ n: 3, size: 's', quality: 'hd' }, 240n],
    [{ size: 's' }, 80n],
    [{ size: 's', quality: 'low' }, 40n],
    [{ size: 'auto', quality: 'hd' }, 90n],
    [{ size: 'unheard of', quality: 'hd' }, 90n],
    [{}, 90n],
  ])('of images priced by the piece is %j at its dearest', (body, cost) => {
    const perImage = { 's/low': 40n, 's/hd': 80n, 'l/low': 50n, 'l/hd': 90n };
    const image = model({ perImage }, { endpoints: ['images'] });
    expect(worstCase(image, ask('/images/generations', body))).toBe(cost);
  });

  it.each([
    [{ size: '1024x1024', quality: 'low', n: 2 }, 544n],
    [{ size: '1024x1024' }, 4_160n],
    [{ quality: 'auto' }, 6_240n],
  ])('of images priced by the token is %j as %d tokens', (body, cost) => {
    const image = model({ outputPerImageToken: 1n }, { endpoints: ['images'] });
    expect(worstCase(image, ask('/images/generations', body))).toBe(cost);
  });

  // By the calculator of https://developers.openai.com/api/docs/guides/image-generation
  it.each([
    [{ size: '1024x1024', quality: 'low' }, 196n],
    [{ size: '1024x1024', quality: 'high' }, 7_024n],
    [{ size: '1536x1024', quality: 'high' }, 5_488n],
    [{ size: '2048x2048', quality: 'high', n: 2 }, 2n * 14_272n],
    [{ size: '3840x2160', quality: 'max' }, 13_342n],
    [{}, 8_232n],
    [{ size: '1024x1024', quality: 'low', stream: true, partial_images: 2 }, 396n],
  ])('of GPT Image 2 and later is %j as %d tokens', (body, cost) => {
    for (const name of ['gpt-image-2', 'gpt-image-2.5-flare', 'openai/gpt-image-2']) {
      const image = model({ outputPerImageToken: 1n }, { endpoints: ['images'], name });
      expect(worstCase(image, ask('/images/generations', body))).toBe(cost);
    }
  });

  it.each(['0x0', '99999x99999', `${'9'.repeat(400)}x1`, 'auto', null, 7])(
    'bears the size %s',
    (size) => {
      const image = model(
        { outputPerImageToken: 1n },
        { endpoints: ['images'], name: 'gpt-image-2' },
      );
      expect(worstCase(image, ask('/images/generations', { size }))).toBeGreaterThan(8_000n);
    },
  );
});
