import { expect, it } from '@jest/globals';
import { type Database } from '../database/database.service.js';
import { type Redis } from '../redis/redis.service.js';
import { HealthService } from './health.service.js';
import { Lifecycle } from './lifecycle.js';

it('tells of a stop at once, also where the database hangs', async () => {
  const lifecycle = new Lifecycle();
  const hanging = { isReady: () => new Promise(() => undefined) } as unknown as Database;
  const health = new HealthService(hanging, lifecycle, { state: 'unused' } as unknown as Redis);
  lifecycle.drain();
  expect(await health.readiness()).toEqual({
    status: 'unavailable',
    checks: { database: 'no answer yet', lifecycle: 'shutting down' },
  });
});

it('says how the database is while the process goes down, where it answers', async () => {
  const lifecycle = new Lifecycle();
  const answering = { isReady: () => Promise.resolve(true) } as unknown as Database;
  const health = new HealthService(answering, lifecycle, { state: 'unused' } as unknown as Redis);
  lifecycle.drain();
  expect((await health.readiness()).checks.database).toBe('ok');
});
