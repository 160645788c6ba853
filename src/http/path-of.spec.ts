import { describe, expect, it } from '@jest/globals';
import { pathOf } from './path-of.js';

describe('pathOf', () => {
  it.each([
    ['/v3/chat/completions', '/v3/chat/completions'],
    ['/v3/models?limit=1?', '/v3/models'],
    ['http://gateway.internal/v3/embeddings?a=/b', '/v3/embeddings'],
    ['*', '*'],
  ])('of %s', (url, path) => {
    expect(pathOf({ url })).toBe(path);
  });
});
