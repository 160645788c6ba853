import { describe, expect, it } from '@jest/globals';
import { rateHeaders, tightest, tooMany } from './rate-headers.js';

const standing = (
  counts: 'requests' | 'tokens' | 'calls',
  limit: number,
  used: number,
  msLeft = 1,
) => ({ counts, limit, used, msLeft }) as const;

describe('tightest', () => {
  it('has the fewest requests left', () => {
    const [wide, narrow] = [standing('requests', 1000, 998), standing('requests', 3, 0)];
    expect(tightest([narrow, wide, standing('calls', 1, 1)])).toBe(wide);
    expect(tightest([])).toBeUndefined();
  });

  it('is of those with equally few left the one that lasts longest', () => {
    const [second, minute] = [
      standing('requests', 9, 9, 700),
      standing('requests', 10, 10, 50_000),
    ];
    expect([tightest([second, minute]), tightest([minute, second])]).toEqual([minute, minute]);
  });
});

describe('tooMany', () => {
  it('tells of the limit that takes longest, and never to try again at once', () => {
    const used = [standing('requests', 5, 5, 900), standing('requests', 7, 7, 5_001)];
    expect(tooMany('/v3/embeddings', [...used, standing('requests', 9, 8, 60_000)])).toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
      details: { retryAfter: 6, headers: { 'X-RateLimit-Limit': '7', 'X-RateLimit-Reset': '6' } },
    });
    const calls = tooMany('/v3/embeddings', [standing('calls', 2, 2, 0)]);
    expect(calls.details).toEqual({
      retryAfter: 1,
      headers: { 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': '1' },
    });
  });
});

describe('rateHeaders', () => {
  it('never shows less than nothing left', () => {
    const headers = rateHeaders('/v3/v1/messages', standing('tokens', 10, 25, 100));
    expect(headers['X-RateLimit-Remaining']).toBe('0');
  });
});
