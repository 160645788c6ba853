import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment } from '../providers/deployment.js';
import { type ProviderConnection } from '../providers/provider.js';
import { KeyRefusals } from './key-refusals.js';

const deploymentWith = (apiKey: string): Deployment => ({
  ...{ baseUrl: new URL('https://provider.test'), apiKey, weight: 1 },
});
const [one, two] = [deploymentWith('key-1'), deploymentWith('key-2')];
const connectionTo = (...deployments: Deployment[]) =>
  ({ provider: { name: 'openai' }, deployments }) as unknown as ProviderConnection;
const both = connectionTo(one, two);
const failure = (status: number) =>
  new GatewayError(502, 'upstream_error', 'No.', { upstream: { status } });

describe('KeyRefusals', () => {
  let refusals: KeyRefusals;
  const logged: unknown[] = [];
  beforeEach(() => {
    refusals = new KeyRefusals();
    logged.length = 0;
    for (const level of ['log', 'warn'] as const) {
      jest.spyOn(Logger.prototype, level).mockImplementation((line: unknown) => {
        logged.push(`${level}: ${String(line)}`);
      });
    }
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const REFUSED = 'warn: The provider refuses the key of openai/2: status 401';
  const WORKS = 'log: The key of openai/2 works again';

  it('say once that one is refused, and once that it works again', () => {
    for (const error of [401, 401, 429, 500, 400].map(failure))
      refusals.watch(two, both, 'm')(error);
    refusals.watch(one, both, 'm')();
    expect(logged).toEqual([REFUSED]);
    for (let count = 0; count < 2; count++) refusals.watch(two, both, 'other')();
    expect(logged).toEqual([REFUSED, WORKS]);
    refusals.watch(two, both, 'm')(failure(401));
    expect(logged).toEqual([REFUSED, WORKS, REFUSED]);
  });

  it('take nothing from a call that began before the refusal, or has no choice of keys', () => {
    const before = refusals.watch(two, both, 'm');
    refusals.watch(two, both, 'm')(failure(401));
    const between = refusals.watch(two, both, 'm');
    refusals.watch(two, both, 'm')(failure(401));
    before();
    between();
    refusals.watch(undefined, connectionTo(), 'm')(failure(401));
    expect(logged).toEqual([REFUSED]);
  });

  it('name one that is alone by its provider', () => {
    const alone = { ...connectionTo(), apiKey: 'key' };
    refusals.watch(undefined, alone, 'm')(failure(401));
    refusals.watch(undefined, alone, 'm')();
    expect(logged).toEqual([REFUSED, WORKS].map((line) => line.replace('/2', '')));
  });

  it.each([402, 403])(
    'do not take a key that is refused by %i for one model for whole',
    (status) => {
      refusals.watch(two, both, 'm')(failure(status));
      refusals.watch(two, both, 'other')();
      refusals.watch(two, both, 'm')(failure(status));
      expect(logged).toEqual([REFUSED.replace('401', String(status))]);
      refusals.watch(two, both, 'm')();
      expect(logged.slice(1)).toEqual([WORKS]);
    },
  );

  it('see another key in its place', () => {
    refusals.watch(two, both, 'm')(failure(401));
    const next = deploymentWith('key-3');
    refusals.watch(next, connectionTo(one, next), 'm')();
    expect(logged).toEqual([REFUSED, WORKS]);
  });
});
