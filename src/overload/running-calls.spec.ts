import { describe, expect, it } from '@jest/globals';
import { RunningCalls } from './running-calls.js';

const LOOK_MS = 250;

describe('RunningCalls', () => {
  /** So many calls of each account, at a pace at which ten more can begin soon. */
  const running = (counts: Readonly<Record<string, number>>) => {
    const calls = new RunningCalls();
    for (let look = 0; look < 100; look++) {
      for (let call = 0; call < 25; call++) calls.begin('warm')();
      calls.look(LOOK_MS);
    }
    const ends = Object.entries(counts).flatMap(([account, count]) =>
      Array.from({ length: count }, () => calls.begin(account)),
    );
    return { calls, end: () => ends.pop()?.() };
  };

  it('lets all begin while there is no limit, and as many as it says while there is one', () => {
    const { calls } = running({ a: 100 });
    expect(calls.admission('a')).toBe('now');
    calls.limitTo(101, undefined);
    expect(calls.admission('a')).toBe('now');
    calls.begin('a');
    expect(calls.admission('a')).toBe('later');
  });

  it('lets as many wait as can begin soon', () => {
    const { calls } = running({ a: 100 });
    calls.limitTo(100, undefined);
    for (let call = 0; call < 10; call++) {
      expect(calls.admission('a')).toBe('later');
      calls.wait('a', () => undefined);
    }
    expect(calls.admission('a')).toBe('never');
  });

  it('lets an account begin that has less than an equal part', () => {
    const { calls } = running({ a: 100, b: 1 });
    calls.limitTo(20, undefined);
    expect([calls.admission('a'), calls.admission('b')]).toEqual(['never', 'now']);
  });

  it('limits only the flood in a flood, however many calls of the others run', () => {
    const { calls, end } = running({ other: 50, flood: 20 });
    calls.limitTo(20, 'flood');
    expect([calls.admission('flood'), calls.admission('other')]).toEqual(['later', 'now']);
    const begun: string[] = [];
    calls.wait('flood', () => begun.push('flood'));
    end();
    expect(begun).toEqual(['flood']);
  });

  it('tells who waits for too long that their turn does not come', async () => {
    const { calls } = running({ a: 100 });
    calls.limitTo(100, undefined);
    const turns: boolean[] = [];
    calls.wait('a', (isTurn) => turns.push(isTurn));
    calls.limitTo(100, undefined);
    expect([turns, calls.waiting]).toEqual([[], 1]);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    calls.limitTo(100, undefined);
    expect([turns, calls.waiting]).toEqual([[false], 0]);
  });

  it('says what ran since the last look, and how many calls end', () => {
    const { calls, end } = running({ a: 10 });
    expect(calls.look(LOOK_MS)).toBe(10);
    calls.limitTo(Infinity, undefined);
    const { pace } = calls;
    end();
    end();
    calls.begin('a');
    expect(calls.look(LOOK_MS)).toBe(10);
    expect(calls.pace).toBeCloseTo(0.8 * pace + (0.2 * 2) / LOOK_MS);
  });
});
