import { describe, expect, it } from '@jest/globals';
import { CallGate } from './call-gate.js';

const LOOK_MS = 250;

describe('CallGate', () => {
  /** So many calls of each account, at a pace at which ten more can begin soon. */
  const running = (counts: Readonly<Record<string, number>>) => {
    const gate = new CallGate();
    for (let look = 0; look < 100; look++) {
      for (let call = 0; call < 25; call++) gate.begin('warm')('served');
      gate.look(LOOK_MS);
    }
    const ends = Object.entries(counts).flatMap(([account, count]) =>
      Array.from({ length: count }, () => gate.begin(account)),
    );
    return { gate, end: () => ends.pop()?.('served') };
  };

  it('lets all begin while there is no limit, and as many as it says while there is one', () => {
    const { gate } = running({ a: 100 });
    expect(gate.opening('a')).toBe('now');
    gate.limitTo(101, undefined);
    expect(gate.opening('a')).toBe('now');
    gate.begin('a');
    expect(gate.opening('a')).toBe('later');
  });

  it('lets as many wait as can begin soon', () => {
    const { gate } = running({ a: 100 });
    gate.limitTo(100, undefined);
    for (let call = 0; call < 10; call++) {
      expect(gate.opening('a')).toBe('later');
      gate.wait('a', () => undefined);
    }
    expect(gate.opening('a')).toBe('never');
  });

  it('does not take calls that were shed after they had begun for a pace', () => {
    const gate = new CallGate();
    for (let call = 0; call < 500; call++) gate.begin('a')('shed');
    expect(gate.look(LOOK_MS).pace).toBe(0);
    gate.begin('a')('served');
    expect(gate.look(LOOK_MS).pace).toBeGreaterThan(0);
  });

  it('lets an account begin that has less than an equal part', () => {
    const { gate } = running({ a: 100, b: 1 });
    gate.limitTo(20, undefined);
    expect([gate.opening('a'), gate.opening('b')]).toEqual(['never', 'now']);
  });

  it('limits only the flood in a flood, however many calls of the others run', () => {
    const { gate, end } = running({ other: 50, flood: 20 });
    gate.limitTo(20, 'flood');
    expect([gate.opening('flood'), gate.opening('other')]).toEqual(['later', 'now']);
    const begun: string[] = [];
    gate.wait('flood', () => begun.push('flood'));
    end();
    expect(begun).toEqual(['flood']);
  });

  it('lets more of a flood wait than of other calls', () => {
    const waiting = (flooding: string | undefined): number => {
      const gate = new CallGate();
      // One ends in a millisecond.
      for (let call = 0; call < 500; call++) gate.begin('flood')('served');
      gate.look(100);
      gate.limitTo(1, flooding);
      gate.begin('flood');
      while (gate.opening('flood') === 'later') gate.wait('flood', () => undefined);
      return gate.waiting;
    };
    expect([waiting(undefined), waiting('flood')]).toEqual([100, 300]);
  });

  it('tells who waits for too long that they may not begin', async () => {
    const { gate } = running({ a: 100 });
    gate.limitTo(100, undefined);
    const told: boolean[] = [];
    gate.wait('a', (mayBegin) => told.push(mayBegin));
    gate.limitTo(100, undefined);
    expect([told, gate.waiting]).toEqual([[], 1]);
    await new Promise((resolve) => setTimeout(resolve, 1_050));
    gate.limitTo(100, undefined);
    expect([told, gate.waiting]).toEqual([[false], 0]);
  });

  it('says what ran since the last look, and how many calls end', () => {
    const { gate, end } = running({ a: 10 });
    const before = gate.look(LOOK_MS);
    expect(before.running).toBe(10);
    end();
    end();
    gate.begin('a');
    const { running: most, pace } = gate.look(LOOK_MS);
    expect(most).toBe(10);
    expect(pace).toBeCloseTo(0.8 * before.pace + (0.2 * 2) / LOOK_MS);
    expect(gate.look(LOOK_MS).running).toBe(9);
  });

  it('says it of the calls that are limited, from when they are', () => {
    const { gate } = running({ other: 50, flood: 20 });
    const most = [gate.look(LOOK_MS).running];
    for (const flooding of ['flood', undefined]) {
      gate.limitTo(100, flooding);
      most.push(gate.look(LOOK_MS).running);
    }
    expect(most).toEqual([70, 20, 70]);
  });
});
