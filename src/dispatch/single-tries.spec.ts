import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type Config } from '../config/config.js';
import { GatewayError } from '../contract/gateway-error.js';
import { type Deployment } from '../providers/deployment.js';
import { type ProviderConnection, type Target } from '../providers/provider.js';
import { type SharedMemory } from '../shared/shared-memory.service.js';
import { Deployments } from '../upstream/deployments.js';
import { Health } from '../upstream/health.service.js';
import { SharedCircuits } from '../upstream/shared-circuits.service.js';
import { type Call } from './call.js';
import { SingleTries } from './single-tries.js';

const config = { breaker: true } as Config;
const alone = { exists: false, run: () => Promise.resolve(undefined) } as unknown as SharedMemory;
const target = { model: { id: 'mine/chat', provider: 'mine' }, connection: {} } as Target;

/** As much of a call as a try looks at, whose caller leaves by the signal. */
function callUntil(signal: AbortSignal): Call {
  const context = { caller: { keyType: 'live' }, signal };
  const ends = new AbortController().signal;
  return { attempts: [], causes: new Map(), running: [], context, ends } as unknown as Call;
}

afterEach(() => {
  jest.restoreAllMocks();
});

it('takes no probe from those who call by asking whether a call may begin', () => {
  let now = 0;
  let eachLookTakesMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += eachLookTakesMs));
  const health = new Health(config, new SharedCircuits(alone));
  const single = new SingleTries(health, new Deployments());
  for (let index = 0; index < 20; index++) health.admit(target).end('fails');
  expect(health.circuit(target.model.id)).toBe('open');
  // The circuit's time ends while it is looked at.
  now = 4_999.9;
  eachLookTakesMs = 0.08;
  const call = { attempts: [], context: { caller: { keyType: 'live' } } } as unknown as Call;
  expect(() => {
    single.refuseWhileOpen(call, target);
  }).toThrow("The model 'mine/chat' is failing at the moment");
  now = 5_001;
  eachLookTakesMs = 0;
  health.admit(target).end('works');
  expect(health.circuit(target.model.id)).toBe('closed');
});

it('keeps a circuit open until one of the deployments is free that asked for a rest', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const health = new Health(config, new SharedCircuits(alone));
  const pair = new Deployments();
  const single = new SingleTries(health, pair);
  const deployments = ['http://one', 'http://two'].map((address) => ({
    baseUrl: new URL(address),
    apiKey: undefined,
    weight: 1,
  }));
  const asking = (retryAfter: number) =>
    new GatewayError(503, 'upstream_error', 'No.', { retryAfter, upstream: { status: 503 } });
  pair.report(deployments[0], asking(10));
  pair.report(deployments[1], asking(40));
  for (let index = 0; index < 19; index++) health.admit(target).end('fails');
  const call = callUntil(new AbortController().signal);
  const both = { ...target, connection: { deployments } as unknown as ProviderConnection };
  const made = single.make(call, both, () => Promise.reject(asking(40)));
  await expect(made).rejects.toThrow('No.');
  now = 9_999;
  expect(health.circuit(target.model.id)).toBe('open');
  now = 10_000;
  expect(health.circuit(target.model.id)).toBe('half_open');
});

it('has a probe that its caller left make way for the next one, although its provider goes on', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const health = new Health(config, new SharedCircuits(alone));
  const single = new SingleTries(health, new Deployments());
  for (let index = 0; index < 20; index++) health.admit(target).end('fails');
  now = 5_001;
  const left = new AbortController();
  const call = callUntil(left.signal);
  const drained = Promise.withResolvers<string>();
  const made = single.make(call, target, () => drained.promise);
  expect(health.isHealthy(target)).toBe(false);
  left.abort();
  expect(health.isHealthy(target)).toBe(true);
  drained.resolve('late');
  expect(await made).toBe('late');
  expect(health.circuit(target.model.id)).toBe('half_open');
});

describe('with BREAKER_SLOW_MS', () => {
  const baseUrl = new URL('https://provider.test/v1');
  const [slow, quick] = ['slow', 'quick'].map((apiKey) => ({ baseUrl, apiKey, weight: 1 }));
  const keys = { deployments: [slow, quick] } as unknown as ProviderConnection;
  let now: number;
  let health: Health;
  let deployments: Deployments;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const settings = { breaker: true, breakerSlowMs: 1_000 } as Config;
    health = new Health(settings, new SharedCircuits(alone));
    deployments = new Deployments();
  });

  /** Twenty calls at once, which are told to go on in the end: as whole answers and streams, or left. */
  const twenty = async (ms: number, how: 'answer' | 'begin' | 'leave', deployment?: Deployment) => {
    const single = new SingleTries(health, deployments);
    const connection = deployment ? keys : target.connection;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const calls = Array.from({ length: 20 }, () => {
      const left = new AbortController();
      const call = { ...callUntil(left.signal), deployment };
      return single.make(call, { ...target, connection }, async ({ permit }) => {
        await promise;
        if (how === 'begin') permit?.answered();
        if (how === 'leave') left.abort();
      });
    });
    now += ms;
    resolve(undefined);
    await Promise.all(calls);
  };

  it.each(['answer', 'begin', 'leave'] as const)(
    'says no more than that one key is to rest where its calls %s late and another one works',
    async (how) => {
      await twenty(20, 'answer', quick);
      await twenty(1_100, how, slow);
      await twenty(1_100, how, slow);
      expect(health.circuit(target.model.id)).toBe('closed');
      const [{ restMs = 0 } = {}, other] = deployments.states(keys);
      expect(restMs).toBeGreaterThan(0);
      expect(other).toMatchObject({ restMs: 0 });
    },
  );

  it.each(['answer', 'begin', 'leave'] as const)(
    'opens where calls %s late and the model has one way',
    async (how) => {
      await twenty(1_100, how);
      expect(health.circuit(target.model.id)).toBe('open');
    },
  );
});
