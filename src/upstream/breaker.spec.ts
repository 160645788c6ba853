import { beforeEach, describe, expect, it } from '@jest/globals';
import { Breaker } from './breaker.js';

describe('Breaker', () => {
  let now: number;
  let breaker: Breaker;
  const calls = (works: number, fails: number): void => {
    for (let index = 0; index < works; index++) breaker.report('works');
    for (let index = 0; index < fails; index++) breaker.report('fails');
  };
  beforeEach(() => {
    now = 1_000_000;
    breaker = new Breaker(() => now);
  });

  it('opens when half of twenty calls failed, and not before', () => {
    calls(10, 9);
    expect(breaker.circuit).toBe('closed');
    expect(breaker.report('fails')).toBe(true);
    expect([breaker.circuit, breaker.admit(), breaker.waitMs]).toEqual(['open', false, 5_000]);
  });

  it('does not open on few calls, on few failures, or on failures of long ago', () => {
    calls(0, 19);
    now += 10_000;
    calls(0, 19);
    expect(breaker.circuit).toBe('closed');
    now += 10_000;
    calls(51, 49);
    expect(breaker.circuit).toBe('closed');
  });

  it('does not count calls that their callers left', () => {
    for (let index = 0; index < 100; index++) breaker.report('neither');
    calls(0, 19);
    expect(breaker.circuit).toBe('closed');
  });

  it('lets one probe through after five seconds, which closes it when it works', () => {
    calls(0, 20);
    now += 4_999;
    expect(breaker.admit()).toBe(false);
    now += 1;
    expect(breaker.circuit).toBe('half_open');
    expect([breaker.admit(), breaker.admit(), breaker.admit()]).toEqual([true, false, false]);
    breaker.report('works');
    expect([breaker.circuit, breaker.admit(), breaker.admit()]).toEqual(['closed', true, true]);
  });

  it('opens again for five seconds when the probe fails', () => {
    calls(0, 20);
    now += 5_000;
    breaker.admit();
    expect(breaker.report('fails')).toBe(true);
    expect([breaker.circuit, breaker.waitMs]).toEqual(['open', 5_000]);
  });

  it('gives another call the probe of one that was left', () => {
    calls(0, 20);
    now += 5_000;
    breaker.admit();
    breaker.report('neither');
    expect(breaker.admit()).toBe(true);
  });

  it('is not judged by calls that began before it opened', () => {
    calls(0, 20);
    calls(50, 0);
    expect(breaker.circuit).toBe('open');
  });

  it.each(['fails', 'works', 'neither'] as const)(
    'is not judged by an old call that comes while it probes and says %s',
    (verdict) => {
      calls(0, 20);
      const before = now;
      now += 5_000;
      breaker.admit();
      expect(breaker.report(verdict, before)).toBe(false);
      expect([breaker.circuit, breaker.admit()]).toEqual(['open', false]);
      breaker.report('works');
      expect(breaker.circuit).toBe('closed');
    },
  );

  it('is not opened again by old calls that fail once it has closed', () => {
    calls(0, 20);
    const before = now;
    now += 5_000;
    breaker.admit();
    breaker.report('works');
    for (let index = 0; index < 40; index++) breaker.report('fails', before);
    expect(breaker.circuit).toBe('closed');
  });

  it('keeps the longer of two deadlines', () => {
    breaker.open(5_000);
    now += 1_000;
    breaker.open(1_000);
    expect(breaker.waitMs).toBe(4_000);
  });

  it('starts anew once it has closed', () => {
    calls(0, 20);
    now += 5_000;
    breaker.admit();
    breaker.report('works');
    calls(0, 19);
    expect(breaker.circuit).toBe('closed');
  });
});
