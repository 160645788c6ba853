import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextRound } from 'node:timers/promises';
import { RoundRobin } from './round-robin.js';

/** Keeps the process busy. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Requests that are worked on for 2 ms when they pass, and the accounts of those that did. */
function requests() {
  const roundRobin = new RoundRobin();
  const passed: string[] = [];
  const request = async (account: string): Promise<void> => {
    const passing = roundRobin.pass(account);
    if (passing) await passing;
    passed.push(account);
    work(2);
  };
  return { passed, request };
}

describe('RoundRobin', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets requests pass at once while there are few', async () => {
    // Between these no time passes that another process takes.
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const roundRobin = new RoundRobin();
    expect(roundRobin.pass('one')).toBeUndefined();
    expect(roundRobin.pass('two')).toBeUndefined();
    await nextRound();
    expect(roundRobin.pass('one')).toBeUndefined();
  });

  it('lets another account pass before all that one account has waiting', async () => {
    const { passed, request } = requests();
    const flood = Array.from({ length: 30 }, () => request('flood'));
    const steady = [request('steady'), request('steady')];
    await Promise.all([...flood, ...steady]);
    expect(passed).toHaveLength(32);
    // A slice's worth had passed before it came, and then they pass one after the other.
    expect(passed.indexOf('steady')).toBeLessThan(8);
    expect(passed.lastIndexOf('steady')).toBeLessThan(12);
  });

  it('looks at the sockets in between, so that whoever comes later passes too', async () => {
    const { passed, request } = requests();
    const flood = Array.from({ length: 30 }, () => request('flood'));
    await nextRound();
    await nextRound();
    const steady = request('steady');
    await steady;
    expect(passed.length).toBeLessThan(25);
    await Promise.all(flood);
    expect(passed).toHaveLength(31);
  });

  it('sends away who has waited for too long, and nobody else', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const roundRobin = new RoundRobin();
    expect(roundRobin.pass('first')).toBeUndefined();
    clock.mockReturnValue(6);
    const early = [roundRobin.pass('a'), roundRobin.pass('a'), roundRobin.pass('b')];
    clock.mockReturnValue(500);
    const late = roundRobin.pass('a');
    clock.mockReturnValue(1_100);
    roundRobin.sendAway(1_000, 9);
    expect(await Promise.all([...early, late])).toEqual([false, false, false, true]);
  });

  it('sends so many away at most, and first those of whom most wait', async () => {
    const clock = jest.spyOn(performance, 'now').mockReturnValue(0);
    const roundRobin = new RoundRobin();
    void roundRobin.pass('first');
    clock.mockReturnValue(6);
    const waiting = ['few', 'many', 'many', 'many'].map((account) => roundRobin.pass(account));
    clock.mockReturnValue(1_100);
    roundRobin.sendAway(1_000, -1);
    roundRobin.sendAway(1_000, 2.9);
    expect(await Promise.all(waiting)).toEqual([true, false, false, true]);
  });
});
