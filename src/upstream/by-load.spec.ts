import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Deployment } from '../providers/deployment.js';
import { byLoad, type Load } from './by-load.js';

const baseUrl = new URL('https://provider.test/v1');

/** Calls that take as long as they may, always so many at once; the shares of all that began. */
function sharesOf(weights: readonly number[], inFlight: number): readonly number[] {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const all = weights.map((weight, at): Deployment => ({ baseUrl, apiKey: `k${at}`, weight }));
  const running: Deployment[] = [];
  const loads = new Map<Deployment, { running: number; turnEnd: number }>();
  const begun: Deployment[] = [];
  for (let call = 0; call < 20_000; call++) {
    const loadOf = (one: Deployment) => {
      const load = loads.get(one) ?? { running: 0, turnEnd: -Infinity };
      loads.set(one, load);
      load.running = running.filter((other) => other === one).length;
      return load;
    };
    const chosen = byLoad(all, loadOf, random)!;
    begun.push(chosen);
    running.push(chosen);
    if (running.length === inFlight) running.splice(Math.floor(random() * inFlight), 1);
  }
  return all.map((one) => begun.filter((other) => other === one).length / begun.length);
}

it.each([
  [
    [1, 1],
    [0.5, 0.5],
  ],
  [
    [9, 1],
    [0.9, 0.1],
  ],
  [
    [3, 1],
    [0.75, 0.25],
  ],
  [
    [2, 1, 1],
    [0.5, 0.25, 0.25],
  ],
  [
    [10, 11],
    [10 / 21, 11 / 21],
  ],
  [
    [4, 5],
    [4 / 9, 5 / 9],
  ],
  [
    [10, 11, 12],
    [10 / 33, 11 / 33, 12 / 33],
  ],
])('shares calls by the weights %j, however many run at once', (weights, shares) => {
  for (const inFlight of [1, 2, 3, 4, 10, 50]) {
    const found = sharesOf(weights, inFlight);
    for (const [at, share] of shares.entries()) {
      expect(Math.abs((found[at] ?? 0) - share)).toBeLessThan(weights.includes(1) ? 0.02 : 0.05);
    }
  }
});

const busy = (running: number): Load => ({ running, turnEnd: -Infinity });

it('takes the one with the fewest calls where weights are equal, and leaves one that hangs', () => {
  const [one, two] = [1, 1].map((weight, at) => ({ baseUrl, apiKey: `k${at}`, weight }));
  expect(
    byLoad(
      [one!, two!],
      (each) => busy(each === one ? 3 : 2),
      () => 0,
    ),
  ).toBe(two);
  const heavy = { ...one!, weight: 9 };
  const chosen = (running: number) =>
    byLoad(
      [heavy, two!],
      (each) => busy(each === heavy ? running : 0),
      () => 0,
    );
  expect([chosen(8), chosen(9)]).toEqual([heavy, two]);
  expect(
    byLoad(
      [],
      () => busy(0),
      () => 0,
    ),
  ).toBeUndefined();
});

describe('calls that come one after the other', () => {
  const all = [3, 1].map((weight, at): Deployment => ({ baseUrl, apiKey: `k${at}`, weight }));
  const loads = new Map<Deployment, Load>();
  const next = (from = all): Deployment | undefined =>
    byLoad(from, (one) => loads.get(one) ?? busy(0), Math.random);
  /** Which of them the next so many calls get. */
  const shares = (calls: number, from = all): readonly number[] => {
    const chosen = Array.from({ length: calls }, () => next(from));
    return from.map((one) => chosen.filter((other) => other === one).length);
  };

  beforeEach(() => {
    for (const one of all) loads.set(one, busy(0));
  });

  it('have the shares of the weights exactly, however few they are', () => {
    for (let round = 0; round < 20; round++) expect(shares(4)).toEqual([3, 1]);
  });

  it('make up for two turns at most of those that one of them missed while it rested', () => {
    shares(40, [all[0]!]);
    expect(shares(8)[1]).toBeLessThanOrEqual(4);
    shares(40, [all[1]!]);
    expect(shares(8)[1]).toBeGreaterThanOrEqual(1);
  });
});
