import { describe, expect, it } from '@jest/globals';
import { type Asked, costOf, costOfOther, costOfStream, NOT_TOLD } from './support/cost-vector.js';

// Prices in USD a million tokens, in the order input, cached input, output: 2.5 Flash: 0.3, 0.03, 2.5.
// 2.5 Pro: 1.25, 0.125, 10; above 200,000: 2.5, 0.25, 15. 3.1 Pro: 2, 0.2, 12.
// Products below are in millionths of a USD.
const FLASH = 'google/gemini-2.5-flash';
const PRO = 'google/gemini-2.5-pro';

const chunk = (usageMetadata: unknown, text = 'Hello', finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason, index: 0 }],
  ...{ modelVersion: 'm', responseId: 'r', usageMetadata },
});
const answer = (usageMetadata: unknown) => chunk(usageMetadata, 'Hello', 'STOP');
const callers: Asked[] = [{}, { format: 'openai' }, { format: 'responses' }];

describe('What a Gemini costs', () => {
  it('thoughts as output', () => {
    const usage = { promptTokenCount: 158, candidatesTokenCount: 32, thoughtsTokenCount: 131 };
    // 158 × 0.3 + (32 + 131) × 2.5 = 47.4 + 407.5 = 454.9
    expect(costOf(FLASH, answer(usage))).toBe('0.0004549');
  });

  it.each(callers)('cached tokens once, whole and streamed (%j)', async (asked) => {
    const usage = {
      ...{ promptTokenCount: 9622, cachedContentTokenCount: 9609, totalTokenCount: 9793 },
      ...{ candidatesTokenCount: 35, thoughtsTokenCount: 136 },
    };
    // 13 × 0.3 + 9,609 × 0.03 + (35 + 136) × 2.5 = 3.9 + 288.27 + 427.5 = 719.67
    expect(costOf(FLASH, answer(usage), asked)).toBe('0.00071967');
    expect(await costOfStream(FLASH, [answer(usage)], asked)).toBe('0.00071967');
  });

  it('what its own tools fed back, as input', () => {
    const usage = {
      ...{ promptTokenCount: 39, toolUsePromptTokenCount: 94, totalTokenCount: 197 },
      ...{ candidatesTokenCount: 23, thoughtsTokenCount: 41 },
    };
    // (39 + 94) × 0.3 + (23 + 41) × 2.5 = 39.9 + 160 = 199.9
    expect(costOf(FLASH, answer(usage))).toBe('0.0001999');
  });

  it('the same beside cached tokens', () => {
    const usage = {
      ...{ promptTokenCount: 1107, cachedContentTokenCount: 1081, toolUsePromptTokenCount: 1171 },
      ...{ candidatesTokenCount: 21, thoughtsTokenCount: 41, totalTokenCount: 2340 },
    };
    // (26 + 1,171) × 0.3 + 1,081 × 0.03 + 62 × 2.5 = 359.1 + 32.43 + 155 = 546.53
    expect(costOf(FLASH, answer(usage))).toBe('0.00054653');
  });

  it.each(callers)('sound at its own price, cached sound too (%j)', async (asked) => {
    const of = (text: number, sound: number) => [
      { modality: 'TEXT', tokenCount: text },
      { modality: 'AUDIO', tokenCount: sound },
    ];
    const heard = answer({
      ...{ promptTokenCount: 1_000, promptTokensDetails: of(100, 900), candidatesTokenCount: 10 },
      ...{ cachedContentTokenCount: 300, cacheTokensDetails: of(50, 250) },
    });
    // 50 × 0.3 + 650 × 1 + 50 × 0.03 + 250 × 0.1 + 10 × 2.5 = 15 + 650 + 1.5 + 25 + 25
    for (const model of [FLASH, 'vertex/gemini-2.5-flash']) {
      expect(costOf(model, heard, asked)).toBe('0.0007165');
      expect(await costOfStream(model, [heard], asked)).toBe('0.0007165');
    }
    // 700 × 0.75 + 300 × 0.075 + 10 × 3.75 = 525 + 22.5 + 37.5
    expect(costOf('google/gemini-3.8-flash', heard, asked)).toBe('0.000585');
  });

  it('a stream by its last count', async () => {
    const so = (candidatesTokenCount: number) => ({ promptTokenCount: 15, candidatesTokenCount });
    const events = [chunk(so(1)), chunk(so(18)), chunk(so(24), '', 'MAX_TOKENS')];
    // 15 × 0.3 + 24 × 2.5 = 4.5 + 60 = 64.5
    expect(await costOfStream(FLASH, events)).toBe('0.0000645');
  });

  it('a stream whose prompt grows on the way', async () => {
    const so = (promptTokenCount: number, candidatesTokenCount: number) =>
      chunk({ promptTokenCount, candidatesTokenCount }, 'x', 'STOP');
    // 271 × 2 + 32 × 12 = 542 + 384 = 926
    const events = [so(118, 1), so(118, 32), so(271, 32)];
    expect(await costOfStream('google/gemini-3.1-pro-preview', events)).toBe('0.000926');
  });

  it('a stream that tells some counts in its first chunk only', async () => {
    const events = [
      chunk({ promptTokenCount: 1087, cachedContentTokenCount: 1081 }),
      chunk({ promptTokenCount: 1087, candidatesTokenCount: 2 }, '', 'STOP'),
    ];
    // 6 × 0.3 + 1,081 × 0.03 + 2 × 2.5 = 1.8 + 32.43 + 5 = 39.23
    expect(await costOfStream(FLASH, events)).toBe('0.00003923');
  });

  it('thoughts without an answer', async () => {
    const usage = { promptTokenCount: 30, thoughtsTokenCount: 1947, totalTokenCount: 1977 };
    // 30 × 0.3 + 1,947 × 2.5 = 9 + 4,867.5 = 4,876.5
    expect(await costOfStream(FLASH, [chunk(usage, '', 'MAX_TOKENS')])).toBe('0.0048765');
    // 2.5 Pro: 12 × 1.25 + 84 × 10 = 15 + 840 = 855
    const other = { promptTokenCount: 12, thoughtsTokenCount: 84 };
    expect(costOf(PRO, answer(other))).toBe('0.000855');
  });

  it('a long context from one token above the bound, cached tokens counted', () => {
    const usage = (promptTokenCount: number) =>
      answer({
        ...{ promptTokenCount, cachedContentTokenCount: 150_000, candidatesTokenCount: 1000 },
      });
    // 50,000 × 1.25 + 150,000 × 0.125 + 1,000 × 10 = 62,500 + 18,750 + 10,000 = 91,250
    expect(costOf(PRO, usage(200_000))).toBe('0.09125');
    // 50,001 × 2.5 + 150,000 × 0.25 + 1,000 × 15 = 125,002.5 + 37,500 + 15,000 = 177,502.5
    expect(costOf(PRO, usage(200_001))).toBe('0.1775025');
  });

  it.each(callers)('images at the price of images, whole and streamed (%j)', async (asked) => {
    const usage = {
      ...{ promptTokenCount: 8, candidatesTokenCount: 1302, totalTokenCount: 1310 },
      candidatesTokensDetails: [
        { modality: 'TEXT', tokenCount: 12 },
        { modality: 'IMAGE', tokenCount: 1290 },
      ],
    };
    // 2.5 Flash Image: 0.3, 2.5, images 30
    // 8 × 0.3 + 12 × 2.5 + 1,290 × 30 = 2.4 + 30 + 38,700 = 38,732.4
    const id = 'google/gemini-2.5-flash-image';
    expect(costOf(id, answer(usage), asked)).toBe('0.0387324');
    expect(await costOfStream(id, [chunk(undefined), answer(usage)], asked)).toBe('0.0387324');
  });

  it('thoughts about an image as text', () => {
    const usage = {
      ...{ promptTokenCount: 20, candidatesTokenCount: 1120, thoughtsTokenCount: 200 },
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
    };
    // 3 Pro Image: 2, 12, images 120. 20 × 2 + 200 × 12 + 1,120 × 120 = 40 + 2,400 + 134,400
    expect(costOf('google/gemini-3-pro-image-preview', answer(usage))).toBe('0.13684');
  });

  it('images in the prompt, which cost what text costs', () => {
    const usage = {
      ...{ promptTokenCount: 342, candidatesTokenCount: 21 },
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 84 },
        { modality: 'IMAGE', tokenCount: 258 },
      ],
    };
    // 342 × 0.3 + 21 × 2.5 = 102.6 + 52.5 = 155.1
    expect(costOf(FLASH, answer(usage))).toBe('0.0001551');
  });

  it('never less than nothing for a prompt that is shorter than its cached part', () => {
    const usage = { promptTokenCount: 10, cachedContentTokenCount: 50, candidatesTokenCount: 2 };
    // 10 × 0.03 + 2 × 2.5 = 0.3 + 5 = 5.3
    expect(costOf(FLASH, answer(usage))).toBe('0.0000053');
  });

  it('at the introductory price of a new model', () => {
    const usage = {
      promptTokenCount: 1000,
      cachedContentTokenCount: 200,
      candidatesTokenCount: 100,
    };
    // Gemini 4 Argon: 2, 0.1, 10. 800 × 2 + 200 × 0.1 + 100 × 10 = 1,600 + 20 + 1,000 = 2,620
    expect(costOf('google/gemini-4-argon', answer(usage))).toBe('0.00262');
  });

  it.each([
    undefined,
    {},
    { candidatesTokenCount: 23, thoughtsTokenCount: 67 },
    { promptTokenCount: -1, candidatesTokenCount: 5 },
    { promptTokenCount: 2.5, candidatesTokenCount: 5 },
  ])('nobody knows when the usage is %j, and the prompt is not free', async (usage) => {
    expect(costOf(FLASH, answer(usage))).toBe(NOT_TOLD);
    expect(await costOfStream(FLASH, [answer(usage)])).toBe(NOT_TOLD);
  });

  const searched = (...webSearchQueries: string[]) => {
    const [candidate] = answer(undefined).candidates;
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10 };
    const grounded = { ...candidate, groundingMetadata: { webSearchQueries } };
    return { ...answer(usageMetadata), candidates: [grounded] };
  };

  it.each(callers)('with a fee for each different search of the web (%j)', async (asked) => {
    // 10 × 0.75 + 10 × 3.75 = 45, and 2 × 14,000
    const two = searched('a', '', 'b', 'a');
    expect(costOf('google/gemini-3.8-flash', two, asked)).toBe('0.028045');
    expect(await costOfStream('google/gemini-3.8-flash', [two], asked)).toBe('0.028045');
    expect(costOf('vertex/gemini-3.8-flash', two, asked)).toBe('0.028045');
    expect(costOf('google/gemini-3.8-flash', searched(), asked)).toBe('0.000045');
  });

  it('with one fee for all searches of an answer up to Gemini 2.5', () => {
    // 10 × 0.3 + 10 × 2.5 = 28, and 35,000
    expect(costOf(FLASH, searched('a', 'b'))).toBe('0.035028');
    expect(costOf('vertex/gemini-2.5-flash', searched('a', 'b'))).toBe('0.035028');
    expect(costOf(FLASH, searched())).toBe('0.000028');
  });

  it('on Vertex AI, with cached tokens', () => {
    const usage = {
      ...{ promptTokenCount: 9613, cachedContentTokenCount: 9602, totalTokenCount: 9685 },
      ...{ candidatesTokenCount: 33, thoughtsTokenCount: 39, trafficType: 'ON_DEMAND' },
    };
    // 11 × 0.3 + 9,602 × 0.03 + 72 × 2.5 = 3.3 + 288.06 + 180 = 471.36
    expect(costOf('vertex/gemini-2.5-flash', answer(usage))).toBe('0.00047136');
  });

  it('on Vertex AI, with a search', () => {
    const usage = {
      ...{ promptTokenCount: 9, toolUsePromptTokenCount: 61, totalTokenCount: 318 },
      ...{ candidatesTokenCount: 27, thoughtsTokenCount: 221 },
    };
    // (9 + 61) × 0.3 + (27 + 221) × 2.5 = 21 + 620 = 641
    expect(costOf('vertex/gemini-2.5-flash', answer(usage))).toBe('0.000641');
  });
});

describe('What embeddings of a Gemini cost', () => {
  const MODEL = 'google/gemini-embedding-2';
  const read = (promptTokenCount: number, ...told: (readonly [string, number])[]) => ({
    embeddings: [{ values: [0.5] }],
    usageMetadata: {
      promptTokenCount,
      promptTokenDetails: told.map(([modality, tokenCount]) => ({ modality, tokenCount })),
    },
  });
  // What is read in place of the text is a field of Google's own, which goes on as it is.
  const asked = { body: { input: 'x', content: { parts: [{ fileData: { fileUri: 'f' } }] } } };

  it.each([
    ['text', read(1_000, ['TEXT', 1_000]), '0.0002'], // 1,000 × 0.2 = 200
    ['a picture', read(1_000, ['TEXT', 100], ['IMAGE', 900]), '0.000425'], // 20 + 900 × 0.45
    ['sound', read(1_000, ['AUDIO', 1_000]), '0.0065'], // 1,000 × 6.5 = 6,500
    ['more than there is', read(10, ['IMAGE', 40], ['AUDIO', 40]), '0.0000045'], // 10 × 0.45
    ['nothing', read(1_000), '0.0002'],
  ])('that has read %s', (_, answer, cost) => {
    expect(costOfOther('embeddings', MODEL, [answer], asked)).toBe(cost);
  });

  it('of a request that was split, together', () => {
    const input = Array.from({ length: 101 }, () => 'x');
    const { embeddings, ...first } = read(200, ['IMAGE', 200]);
    const hundred = { ...first, embeddings: input.slice(1).map(() => embeddings[0]) };
    const answers = [hundred, read(10, ['AUDIO', 10])];
    // 200 × 0.45 + 10 × 6.5 = 155
    expect(costOfOther('embeddings', MODEL, answers, { body: { input } })).toBe('0.000155');
  });
});
