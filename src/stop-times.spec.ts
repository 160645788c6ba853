import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config/read-config.js';
import { longestStop } from './stop-times.js';

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const toldMs = (settings: Record<string, string>) => longestStop(readConfig(settings)).toldMs;

describe('how long a worker may take to stop', () => {
  it('is as long as a stop takes, and a little', () => {
    expect(toldMs({})).toBe(48_000);
    expect(toldMs({ GRACE_MS: '1000', DRAIN_DELAY_MS: '2000' })).toBe(20_500);
  });

  it('is never so long that its timer would end at once', () => {
    const longest = String(LONGEST_TIMER_MS);
    expect(toldMs({ GRACE_MS: longest })).toBe(LONGEST_TIMER_MS);
    expect(toldMs({ GRACE_MS: longest, DRAIN_DELAY_MS: longest })).toBe(LONGEST_TIMER_MS);
  });
});
