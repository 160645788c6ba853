import { expect, it } from '@jest/globals';
import { type Deployment } from '../providers/deployment.js';
import { byLoad } from './by-load.js';

const baseUrl = new URL('https://provider.test/v1');

/** Calls that take as long as they may, always so many at once; the shares of all that began. */
function sharesOf(weights: readonly number[], inFlight: number): readonly number[] {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const all = weights.map((weight, at): Deployment => ({ baseUrl, apiKey: `k${at}`, weight }));
  const running: Deployment[] = [];
  const begun: Deployment[] = [];
  for (let call = 0; call < 20_000; call++) {
    const runningOf = (one: Deployment) => running.filter((other) => other === one).length;
    const chosen = byLoad(all, runningOf, random)!;
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

it('takes the one with the fewest calls where weights are equal, and leaves one that hangs', () => {
  const [one, two] = [1, 1].map((weight, at) => ({ baseUrl, apiKey: `k${at}`, weight }));
  expect(
    byLoad(
      [one!, two!],
      (each) => (each === one ? 3 : 2),
      () => 0,
    ),
  ).toBe(two);
  const heavy = { ...one!, weight: 9 };
  const chosen = (running: number) =>
    byLoad(
      [heavy, two!],
      (each) => (each === heavy ? running : 0),
      () => 0,
    );
  expect([chosen(8), chosen(9)]).toEqual([heavy, two]);
  expect(
    byLoad(
      [],
      () => 0,
      () => 0,
    ),
  ).toBeUndefined();
});
