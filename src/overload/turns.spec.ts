import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Turns } from './turns.js';

/** Keeps the process busy. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** Requests that are worked on for 2 ms when they pass, and the accounts of those that did. */
function requests() {
  const turns = new Turns();
  const passed: string[] = [];
  const request = async (account: string): Promise<void> => {
    const turn = turns.take(account);
    if (turn) await turn;
    passed.push(account);
    work(2);
  };
  return { passed, request };
}

describe('Turns', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('lets requests pass at once while there are few', async () => {
    // Between these no time passes that another process takes.
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const turns = new Turns();
    expect(turns.take('one')).toBeUndefined();
    expect(turns.take('two')).toBeUndefined();
    await nextTurn();
    expect(turns.take('one')).toBeUndefined();
  });

  it('lets another account pass before all that one account has waiting', async () => {
    const { passed, request } = requests();
    const flood = Array.from({ length: 30 }, () => request('flood'));
    const steady = [request('steady'), request('steady')];
    await Promise.all([...flood, ...steady]);
    expect(passed).toHaveLength(32);
    // A slice's worth had passed before it came, and then they take turns.
    expect(passed.indexOf('steady')).toBeLessThan(8);
    expect(passed.lastIndexOf('steady')).toBeLessThan(12);
  });

  it('looks at the sockets in between, so that whoever comes later has a turn too', async () => {
    const { passed, request } = requests();
    const flood = Array.from({ length: 30 }, () => request('flood'));
    await nextTurn();
    await nextTurn();
    const steady = request('steady');
    await steady;
    expect(passed.length).toBeLessThan(25);
    await Promise.all(flood);
    expect(passed).toHaveLength(31);
  });
});
