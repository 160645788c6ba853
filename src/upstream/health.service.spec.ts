import { afterEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { type Config } from '../config/config.js';
import { type Target } from '../providers/provider.js';
import { type SharedMemory } from '../shared/shared-memory.service.js';
import { Health } from './health.service.js';
import { SharedCircuits } from './shared-circuits.service.js';

const config = { breaker: true } as Config;
const alone = { exists: false, run: () => Promise.resolve(undefined) } as unknown as SharedMemory;
const target = { model: { id: 'mine/chat', provider: 'mine' } } as Target;
const MINUTE = 60_000;

afterEach(() => {
  jest.restoreAllMocks();
});

it('forgets a model that nobody has called for a quarter of an hour', () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const health = new Health(config, new SharedCircuits(alone));
  for (let index = 0; index < 20; index++) health.admit(target).end('fails');
  expect([...health.troubled()]).toEqual([['mine/chat', 'open']]);
  now += 14 * MINUTE;
  expect([...health.troubled()]).toEqual([['mine/chat', 'half_open']]);
  health.admit(target).end('fails');
  now += 14 * MINUTE;
  expect(health.models()).toHaveLength(1);
  now += 2 * MINUTE;
  expect([health.models(), [...health.troubled()]]).toEqual([[], []]);
});

it('says in the log when a circuit opens and when it closes, and not of the probes between', () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
  const said: unknown[] = [];
  const note = (line: unknown): void => void said.push(line);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(note);
  jest.spyOn(Logger.prototype, 'log').mockImplementation(note);
  const health = new Health(config, new SharedCircuits(alone));
  for (let index = 0; index < 20; index++) health.admit(target).end('fails');
  for (const verdict of ['fails', 'works'] as const) {
    now += 6_000;
    health.admit(target).end(verdict);
  }
  expect(said).toEqual([
    'The circuit of mine/chat is open: it fails',
    'The circuit of mine/chat is closed: it works again',
  ]);
});
