import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Model } from '../contract/model.js';
import { PROVIDERS } from '../providers/providers.js';
import { familyForm, modelFamily } from './family-name.js';
import { loadPrior } from './prior.service.js';
import { beliefsOf } from './priced-prior.js';
import { readPrior } from './quality-prior.js';
import { TASK_CLASSES } from './task-class.js';

const shipped = loadPrior(undefined);
const problemsOf = (text: string) => {
  const problems: string[] = [];
  readPrior(text, problems, 'prior.yaml');
  return problems;
};
const model = (id: string, usdPerMillion: number): Model => ({
  ...{ id, provider: 'p', name: id, created: 0, listed: true, capabilities: {} },
  endpoints: ['messages'],
  pricing: {
    inputPerToken: BigInt(usdPerMillion * 1_000_000),
    outputPerToken: BigInt(usdPerMillion * 1_000_000),
  },
});

describe('families', () => {
  it.each([
    ['bedrock/us.anthropic.claude-opus-4-5-20251101-v1:0', 'claude-opus-4-5'],
    ['together/Qwen/Qwen2.5-72B-Instruct-Turbo', 'qwen-2-5-72b'],
    ['fireworks/accounts/fireworks/models/deepseek-v4p1-flash', 'deepseek-v-4-1-flash'],
    ['gpt-4o-mini-2024-07-18', 'gpt-4o-mini'],
    ['openai/gpt-5.5-pro-2026-04-23', 'gpt-5-5-pro'],
    ['gpt-4-1106-preview', 'gpt-4'],
    ['deepseek-r1-distill-llama-70b', undefined],
    ['deepseek-ai/DeepSeek-R1-Distill-Qwen2.5-72B', 'qwen-2-5-72b'],
    ['lab/gpt-4-distilled-small', 'gpt-4-distilled'],
    ['chatgpt-4o-latest', undefined],
    ['someone/else', undefined],
  ])('%s is of %s', (id, family) => {
    const families = ['GPT-4', 'gpt-4o', 'gpt-4o-mini', 'gpt-5', 'gpt-5.5', 'gpt-5.5-pro']
      .concat(
        'claude-opus-4',
        'deepseek-r1',
        'gpt-4-distilled',
        'claude-opus-4.5',
        'Qwen2.5-72B',
        'deepseek-v4.1-flash',
      )
      .map(familyForm);
    expect(modelFamily(id, families)).toBe(family);
  });
});

describe('the shipped table', () => {
  it('has no problems, and a number of every kind for every family', () => {
    const text = readFileSync(join(import.meta.dirname, 'quality-prior.yaml'), 'utf8');
    expect(problemsOf(text)).toEqual([]);
    expect(text).toContain('sources:');
  });

  it('knows nearly every chat model that is built in', () => {
    const ids = PROVIDERS.filter(({ name }) => name !== 'sandbox').flatMap(({ name, models }) =>
      models
        .filter(({ endpoints }) => endpoints.includes('messages'))
        .map((spec) => `${name}/${spec.name}`),
    );
    const unknown = ids.filter((id) => !shipped.of(id));
    expect(ids.length).toBeGreaterThan(100);
    expect(unknown.length / ids.length).toBeLessThan(0.05);
  });

  it('puts models in the order that everybody knows', () => {
    for (const task of TASK_CLASSES) {
      const of = (id: string) => shipped.of(id)![task];
      expect(of('openai/gpt-4o')).toBeGreaterThan(of('openai/gpt-4o-mini'));
      expect(of('anthropic/claude-opus-5-5')).toBeGreaterThan(of('anthropic/claude-haiku-4-5'));
      expect(of('meta-llama/Llama-3.3-70B-Instruct')).toBeGreaterThan(
        of('groq/llama-3.1-8b-instant'),
      );
    }
  });
});

describe('readPrior', () => {
  it.each([
    ['- a', 'prior.yaml line 1: the file must be a map with families'],
    ['as_of: 1', 'prior.yaml line 1: families is missing'],
    ['families:\n  a:', 'prior.yaml line 2: families.a needs quality'],
    ['families:\n  a: { code: 1 }', 'prior.yaml line 2: families.a needs quality'],
    [
      'families:\n  a: { quality: 2 }',
      'prior.yaml line 2: families.a.quality must be a number from 0 to 1',
    ],
    [
      'families:\n  a: { quality: good }',
      'prior.yaml line 2: families.a.quality must be a number, 0 or more',
    ],
    [
      'families:\n  gpt-4o: { quality: 1 }\n  GPT_4o: { quality: 1 }',
      'prior.yaml line 3: families.GPT_4o is there twice, in another spelling',
    ],
    [
      'families: {}\nanswer_tokens: { code: 0 }',
      'prior.yaml line 2: answer_tokens.code must be a whole number, 1 or more',
    ],
    ['families: {}\nby_price: { 1: { quality: 0.5 } }', 'prior.yaml line 2: by_price needs 10'],
    ['families: [', 'prior.yaml line 1'],
  ])('says what is wrong with %j', (text, problem) => {
    expect(problemsOf(text).join('\n')).toContain(problem);
  });
});

describe('beliefsOf', () => {
  const prior = { of: shipped.of.bind(shipped), byPrice: shipped.byPrice };

  it('takes an unknown model for better the more it costs', () => {
    const beliefs = beliefsOf([model('x/new-cheap', 0.1), model('x/new-dear', 10)], prior);
    for (const task of TASK_CLASSES) {
      expect(beliefs.get('x/new-dear')![task]).toBeGreaterThan(beliefs.get('x/new-cheap')![task]);
    }
  });

  it('judges it by the known models of about its price', () => {
    const old = ['gpt-4o', 'claude-3-opus', 'mistral-large-2', 'claude-3-sonnet', 'gpt-4-turbo'];
    const recent = ['gpt-6-sol', 'claude-opus-5', 'claude-sonnet-5-5', 'gpt-6-astra', 'kimi-k3'];
    const among = (known: string[]) =>
      beliefsOf(
        [...known, 'x/new'].map((id) => model(id, 5)),
        prior,
      ).get('x/new')!.code;
    const mean = (known: string[]) =>
      known.reduce((sum, id) => sum + shipped.of(id)!.code, 0) / known.length;
    expect(among(old)).toBeCloseTo(mean(old), 1);
    expect(among(recent)).toBeCloseTo(mean(recent), 1);
  });

  it('has a word on every model, also on one that is free', () => {
    const beliefs = beliefsOf([model('x/free', 0)], prior);
    expect(beliefs.get('x/free')!.code).toBeGreaterThan(0);
  });
});
