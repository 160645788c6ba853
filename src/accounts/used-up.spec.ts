import { describe, expect, it, jest } from '@jest/globals';
import { type Standing } from './limit.js';
import { usedUp } from './used-up.js';

const standing = (more: Partial<Standing>): Standing => ({
  ...{ counts: 'requests', name: 'a', limit: 3, used: 3, windowMs: 60_000, msLeft: 60_000 },
  ...more,
});

describe('usedUp', () => {
  it('holds until the last of the windows ends that are used up', () => {
    const tokens = standing({ counts: 'tokens', msLeft: 20_000 });
    const free = standing({ used: 1, msLeft: 50_000 });
    expect(usedUp([standing({ msLeft: 5_000 }), tokens, free], 1_000)?.until).toBe(21_000);
  });

  it('tells at each path how long it still lasts', () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const { refusal } = usedUp([standing({ limit: 7, used: 7 })]) ?? {};
    clock.mockReturnValue(41_500);
    const error = refusal?.('/v3/chat/completions');
    clock.mockRestore();
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    expect(error?.details).toMatchObject({
      retryAfter: 20,
      headers: { 'X-RateLimit-Limit': '7', 'x-ratelimit-reset-requests': '20s' },
    });
  });

  it('knows nothing of a limit of running calls', () => {
    expect(usedUp([standing({ counts: 'calls', msLeft: 0 })])).toBeUndefined();
  });
});
