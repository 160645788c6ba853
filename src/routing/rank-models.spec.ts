import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Capabilities, type Model } from '../contract/model.js';
import { estimatePrompt } from '../tokens/estimate.js';
import { loadPrior } from './prior.service.js';
import { type Knowledge, rankModels } from './rank-models.js';
import { shapeOf } from './request-shape.js';

const prior = loadPrior(undefined);
const KNOWLEDGE: Knowledge<{ model: Model }> = {
  believed: ({ id }) => prior.of(id),
  prior,
  latencyMs: () => null,
  isHealthy: () => true,
  isFailing: () => false,
};
const modelOf = (index: number, more: Partial<Model> = {}): Model => ({
  ...{ id: `p/m-${index}`, provider: 'p', name: `m-${index}`, created: 0, listed: true },
  ...{
    endpoints: ['messages'],
    capabilities: {},
    pricing: { inputPerToken: 1n, outputPerToken: 2n },
  },
  ...more,
});
const ranked = (models: readonly Model[], body: object, more: Partial<typeof KNOWLEDGE> = {}) => {
  const targets = models.map((model) => ({ model }));
  return rankModels(targets, { shape: shapeOf(body), stream: false }, { ...KNOWLEDGE, ...more });
};

const flag = fc.constantFrom(true, false, undefined);
const CAPABILITIES = fc.record({
  input_modalities: fc.option(fc.subarray(['text', 'image', 'file', 'audio', 'video']), {
    nil: undefined,
  }),
  supports_function_calling: flag,
  supports_tool_choice: flag,
  supports_response_schema: flag,
  supports_reasoning: flag,
}) as fc.Arbitrary<Capabilities>;
const limit = fc.option(fc.integer({ min: 1, max: 4_000 }), { nil: undefined });
const MODELS = fc
  .array(fc.record({ capabilities: CAPABILITIES, contextLength: limit, maxOutputTokens: limit }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((list) => list.map((more, index) => modelOf(index, more as Partial<Model>)));

/** A part of a message in one of the formats, with what it takes to read it. */
const PART = fc.oneof(
  fc.string({ maxLength: 400 }).map((text) => ({ part: { type: 'text', text }, needs: '' })),
  fc.constantFrom(
    { part: { type: 'image', source: { type: 'url', url: 'https://a.example' } }, needs: 'image' },
    { part: { type: 'image_url', image_url: { url: 'https://a.example' } }, needs: 'image' },
    { part: { type: 'input_image', image_url: 'https://a.example' }, needs: 'image' },
    { part: { type: 'document', source: { type: 'base64', data: 'AAAA' } }, needs: 'file' },
    { part: { type: 'document', source: { type: 'text', data: 'Text.' } }, needs: '' },
    { part: { type: 'input_file', file_data: 'AAAA' }, needs: 'file' },
    { part: { type: 'input_audio', input_audio: { data: 'AAAA' } }, needs: 'audio' },
    {
      part: {
        type: 'tool_result',
        tool_use_id: 't',
        content: [{ type: 'image', source: { type: 'url' } }],
      },
      needs: 'image',
    },
  ),
);
const REQUEST = fc.record({
  turns: fc.array(fc.array(PART, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  field: fc.constantFrom('messages', 'input'),
  most: fc.option(fc.integer({ min: 1, max: 5_000 })),
  limitName: fc.constantFrom('max_tokens', 'max_completion_tokens', 'max_output_tokens'),
  tools: fc.boolean(),
  choice: fc.constantFrom(
    undefined,
    'auto',
    'none',
    'required',
    { type: 'tool', name: 'f' },
    { type: 'auto' },
  ),
  schema: fc.constantFrom('', 'chat', 'responses', 'messages'),
  thinking: fc.constantFrom('', 'messages', 'chat', 'responses', 'off'),
});

describe('rankModels', () => {
  it('breaks no filter in 10,000 requests of any kind', () => {
    let kept = 0;
    let left = 0;
    fc.assert(
      fc.property(MODELS, REQUEST, (models, request) => {
        const format = { type: 'json_schema', schema: {} };
        const body = {
          [request.field]: request.turns.map((parts) => ({
            role: 'user',
            content: parts.map(({ part }) => part),
          })),
          ...(request.most !== null && { [request.limitName]: request.most }),
          ...(request.tools && { tools: [{ name: 'f' }], tool_choice: request.choice }),
          ...(request.schema === 'chat' && { response_format: format }),
          ...(request.schema === 'responses' && { text: { format } }),
          ...(request.schema === 'messages' && { output_config: { format } }),
          ...(request.thinking === 'messages' && {
            thinking: { type: 'enabled', budget_tokens: 1 },
          }),
          ...(request.thinking === 'chat' && { reasoning_effort: 'low' }),
          ...(request.thinking === 'responses' && { reasoning: { effort: 'high' } }),
          ...(request.thinking === 'off' && {
            thinking: { type: 'disabled' },
            reasoning_effort: 'none',
          }),
        };
        const result = ranked(models, body);
        const byId = new Map(models.map((model) => [model.id, model]));
        const kinds = request.turns
          .flat()
          .map(({ needs }) => needs)
          .filter(Boolean);
        const { choice } = request;
        const isForced =
          request.tools &&
          (choice === 'required' || (choice as { type?: string })?.type === 'tool');
        const hasResults = request.turns.flat().some(({ part }) => part.type === 'tool_result');
        const suits = ({ capabilities: can, contextLength, maxOutputTokens }: Model) =>
          kinds.every((kind) => can.input_modalities?.includes(kind)) &&
          (!(request.tools || hasResults) || can.supports_function_calling === true) &&
          (!isForced || can.supports_tool_choice === true) &&
          (request.schema === '' || can.supports_response_schema === true) &&
          (['', 'off'].includes(request.thinking) || can.supports_reasoning === true) &&
          estimatePrompt(body) + (request.most ?? 0) <= (contextLength ?? Infinity) &&
          (request.most ?? 0) <= (maxOutputTokens ?? Infinity);
        const chosen = result.ranked.map(({ model }) => model);
        expect(chosen.toSorted()).toEqual(
          models
            .filter(suits)
            .map(({ id }) => id)
            .toSorted(),
        );
        expect(result.dropped.map(({ model }) => byId.get(model)!).filter(suits)).toEqual([]);
        kept += chosen.length;
        left += result.dropped.length;
      }),
      { numRuns: 10_000 },
    );
    // Neither side of the filters was left untried.
    expect(Math.min(kept, left)).toBeGreaterThan(1_000);
  }, 120_000);

  it('leaves out models that are not well, unless none is', () => {
    const models = [modelOf(1), modelOf(2)];
    const body = { messages: [{ role: 'user', content: 'Hi' }] };
    const without = (...ill: string[]) =>
      ranked(models, body, { isHealthy: ({ model }) => !ill.includes(model.id) });
    expect(without('p/m-1').ranked.map(({ model }) => model)).toEqual(['p/m-2']);
    expect(without('p/m-1').dropped).toEqual([{ model: 'p/m-1', reason: 'unhealthy' }]);
    expect(without('p/m-1', 'p/m-2').ranked).toHaveLength(2);
  });

  it('tells models apart more for a long question than for a short one', () => {
    const models = ['gpt-4o', 'gpt-3.5-turbo'].map((id, index) => modelOf(index, { id }));
    const gap = (words: number) => {
      const content = `${'A lot of words about 7 apples. '.repeat(words)} How many apples are there?`;
      const [first, second] = ranked(models, { messages: [{ role: 'user', content }] }).ranked;
      return Math.abs(first!.quality - second!.quality);
    };
    expect(gap(1)).toBeLessThan(gap(7));
    expect(gap(7)).toBeLessThan(gap(14));
    expect(gap(100)).toBe(gap(110));
  });

  it('prices what was asked for and not more than may be written', () => {
    const models = [modelOf(1, { pricing: { outputPerToken: 1_000_000n } })];
    const price = (max_tokens: number) =>
      ranked(models, { messages: [{ role: 'user', content: 'Hi' }], max_tokens }).ranked[0]!.price;
    expect(price(10)).toBeCloseTo(10 / 1_000_000, 12);
    expect(price(100_000)).toBeCloseTo(prior.answerTokens.general / 1_000_000, 12);
  });

  it('serves what costs nothing also when more was spent than there was', () => {
    const models = [modelOf(1, { pricing: {} }), modelOf(2)];
    const budget = {
      left: -5n,
      worstCase: ({ model }: { model: Model }) => (model === models[0]! ? 0n : 1n),
    };
    const shape = shapeOf({ messages: [{ role: 'user', content: 'Hi' }] });
    const targets = models.map((model) => ({ model }));
    const found = rankModels(targets, { shape, stream: false, budget }, KNOWLEDGE);
    expect(found.ranked.map(({ model }) => model)).toEqual([models[0]!.id]);
    expect(found.dropped).toEqual([{ model: models[1]!.id, reason: 'credit' }]);
  });

  it('has those that fail stand behind the others, in their order', () => {
    const models = [1, 2, 3, 4].map((index) =>
      modelOf(index, { pricing: { outputPerToken: BigInt(index) } }),
    );
    const order = (...failing: readonly string[]) => {
      const isFailing = ({ id }: Model) => failing.includes(id);
      const { ranked: all, dropped } = ranked(models, { messages: [] }, { isFailing });
      expect(dropped).toEqual([]);
      expect(all.filter((one) => one.failing).map(({ model }) => model)).toEqual(failing);
      return all.map(({ model }) => model);
    };
    const [first, second, third, fourth] = order();
    expect(order(first!, third!)).toEqual([second, fourth, first, third]);
    expect(order(first!, second!, third!, fourth!)).toEqual([first, second, third, fourth]);
  });
});
