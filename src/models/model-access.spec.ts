import { describe, expect, it } from '@jest/globals';
import { workedMs } from '../../test/support/worked-ms.js';
import { type Caller } from '../contract/caller.js';
import { type Model } from '../contract/model.js';
import { mayUse, visibleTo } from './model-access.js';

const model = (regions: string[] = []): Model => ({
  id: 'openai/gpt-4o',
  provider: 'openai',
  name: 'gpt-4o',
  endpoints: ['messages'],
  created: 0,
  capabilities: {},
  pricing: {},
  listed: true,
  regions: regions.map((code) => ({ code, name: code })),
});

const caller = (part: Partial<Caller>): Caller => ({
  accountId: 'a',
  keyId: 'k',
  keyType: 'live',
  scopes: ['inference'],
  region: null,
  accountModels: null,
  keyModels: null,
  accountRateLimit: null,
  keyRateLimit: null,
  limited: false,
  spendLimit: null,
  budgetId: 'k',
  keyTokensPerMinute: null,
  accountMaxConcurrent: null,
  keyMaxConcurrent: null,
  ...part,
});

describe('mayUse', () => {
  it.each([
    ['openai/*', 'openai/gpt-4o', true],
    ['openai/*', 'openai/a/b', true],
    ['openai/*', 'azure-openai/gpt-4o', false],
    ['openai/*', 'openai', false],
    ['*', 'anything/at-all', true],
    ['*/gpt-4o', 'openai/gpt-4o', true],
    ['*/gpt-4o', 'openai/gpt-4o-mini', false],
    ['openai/gpt-*-mini', 'openai/gpt-4.1-mini', true],
    ['openai/gpt-*-mini', 'openai/gpt-mini', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*bc*c', 'abc', false],
    ['openai/gpt-4o', 'openai/gpt-4o', true],
    ['openai/gpt-4o', 'openai/gpt-4o-mini', false],
    ['openai/gpt-4.', 'openai/gpt-4o', false],
    ['', 'openai/gpt-4o', false],
  ])('%s covers %s: %s', (pattern, id, expected) => {
    expect(mayUse([pattern], id)).toBe(expected);
  });

  it('takes any of several patterns, and no list for every model', () => {
    expect(mayUse(['anthropic/*', 'openai/*'], 'openai/gpt-4o')).toBe(true);
    expect(mayUse([], 'openai/gpt-4o')).toBe(false);
    expect(mayUse(null, 'openai/gpt-4o')).toBe(true);
  });

  it('is quick for a pattern full of stars', async () => {
    const ms = await workedMs(() => {
      expect(mayUse(['*a'.repeat(200) + 'b'], 'a'.repeat(2_000))).toBe(false);
    });
    expect(ms).toBeLessThan(5_000);
  });
});

describe('visibleTo', () => {
  it('shows everything to nobody in particular', () => {
    expect(visibleTo(undefined, model(['us']))).toBe(true);
  });

  it('goes by the account, not by the key', () => {
    expect(visibleTo(caller({ accountModels: ['anthropic/*'] }), model())).toBe(false);
    expect(visibleTo(caller({ accountModels: ['openai/*'] }), model())).toBe(true);
    expect(visibleTo(caller({ keyModels: ['anthropic/*'] }), model())).toBe(true);
  });

  it('goes by the region where the model has one', () => {
    expect(visibleTo(caller({ region: 'eu' }), model(['us']))).toBe(false);
    expect(visibleTo(caller({ region: 'EU' }), model(['us', 'eu']))).toBe(true);
    expect(visibleTo(caller({ region: 'eu' }), model())).toBe(true);
    expect(visibleTo(caller({ region: null }), model(['us']))).toBe(true);
  });
});
