import { afterEach, expect, it, jest } from '@jest/globals';
import { type Config } from '../config/config.js';
import { type Target } from '../providers/provider.js';
import { type SharedMemory } from '../shared/shared-memory.service.js';
import { Deployments } from '../upstream/deployments.js';
import { Health } from '../upstream/health.service.js';
import { SharedCircuits } from '../upstream/shared-circuits.service.js';
import { Attempts } from './attempts.js';
import { type Call } from './call.js';

const config = { breaker: true } as Config;
const alone = { exists: false, run: () => Promise.resolve(undefined) } as unknown as SharedMemory;
const target = { model: { id: 'mine/chat', provider: 'mine' }, connection: {} } as Target;

afterEach(() => {
  jest.restoreAllMocks();
});

it('takes no probe from those who call by asking whether a call may begin', () => {
  let now = 0;
  let eachLookTakesMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += eachLookTakesMs));
  const health = new Health(config, new SharedCircuits(alone));
  const attempts = new Attempts(health, new Deployments());
  for (let index = 0; index < 20; index++) health.admit(target).end('fails');
  expect(health.circuit(target.model.id)).toBe('open');
  // The circuit's time ends while it is looked at.
  now = 4_999.9;
  eachLookTakesMs = 0.08;
  const call = { attempts: [], context: { caller: { keyType: 'live' } } } as unknown as Call;
  expect(() => {
    attempts.refuseWhileOpen(call, target);
  }).toThrow("The model 'mine/chat' is failing at the moment");
  now = 5_001;
  eachLookTakesMs = 0;
  health.admit(target).end('works');
  expect(health.circuit(target.model.id)).toBe('closed');
});

it('has a probe that its caller left make way for the next one, although its provider goes on', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const health = new Health(config, new SharedCircuits(alone));
  const attempts = new Attempts(health, new Deployments());
  for (let index = 0; index < 20; index++) health.admit(target).end('fails');
  now = 5_001;
  const left = new AbortController();
  const context = { caller: { keyType: 'live' }, signal: left.signal };
  const call = { attempts: [], running: [], context, ends: new AbortController().signal };
  const drained = Promise.withResolvers<string>();
  const made = attempts.make(call as unknown as Call, target, () => drained.promise);
  expect(health.isHealthy(target)).toBe(false);
  left.abort();
  expect(health.isHealthy(target)).toBe(true);
  drained.resolve('late');
  expect(await made).toBe('late');
  expect(health.circuit(target.model.id)).toBe('half_open');
});
