import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Attempt } from '../contract/usage-record.js';
import { Latencies } from './latencies.js';

const answered = (ms: number): Attempt[] => [{ model: 'a/b', provider: 'a', status: 200, ms }];

describe('Latencies', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('knows the mean of the last answers, streamed ones apart', () => {
    const latencies = new Latencies();
    latencies.note(answered(1000), false);
    latencies.note(answered(2000), false);
    expect(latencies.of('a/b', false)).toBe(1200);
    expect(latencies.of('a/b', true)).toBeNull();
  });

  it('forgets an answer after some minutes in which no other came', () => {
    const latencies = new Latencies();
    latencies.note(answered(60_000), false);
    now = 4 * 60_000;
    expect(latencies.of('a/b', false)).toBe(60_000);
    now = 5 * 60_000;
    expect(latencies.of('a/b', false)).toBeNull();
    latencies.note(answered(500), false);
    expect(latencies.of('a/b', false)).toBe(500);
  });
});
