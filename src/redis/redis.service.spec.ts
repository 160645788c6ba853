import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DATABASES, describeWithRedis } from '../../test/support/redis.js';
import { readConfig } from '../config/read-config.js';
import { Redis } from './redis.service.js';

const INCREASE = { name: 'testIncrease', lua: `return redis.call('INCRBY', KEYS[1], ARGV[1])` };
const opened: Redis[] = [];

async function open(url?: string): Promise<Redis> {
  const redis = new Redis(readConfig(url === undefined ? {} : { REDIS_URL: url }));
  opened.push(redis);
  await redis.onModuleInit();
  return redis;
}

const increase = (redis: Redis, name: string) => redis.run(INCREASE, [name], [2]);

async function timed(work: Promise<unknown>) {
  const startedAt = performance.now();
  const answer = await work;
  return { answer, ms: performance.now() - startedAt };
}

async function untilHere(redis: Redis): Promise<number> {
  const startedAt = performance.now();
  while (redis.state !== 'here' && performance.now() - startedAt < 10_000) await delay(10);
  return performance.now() - startedAt;
}

let said: string[];
beforeEach(() => {
  said = [];
  for (const level of ['log', 'warn'] as const) {
    jest.spyOn(Logger.prototype, level).mockImplementation((text: string) => {
      said.push(`${level}: ${text}`);
    });
  }
});
afterEach(() => {
  for (const redis of opened.splice(0)) redis.onApplicationShutdown();
  jest.restoreAllMocks();
});

describe('without REDIS_URL', () => {
  it('answers nothing and says nothing', async () => {
    const redis = await open();
    expect(await increase(redis, 'a')).toBeUndefined();
    expect(redis.state).toBe('unused');
    expect(said).toEqual([]);
  });
});

describeWithRedis('Redis', (server) => {
  it('runs scripts, also after the server has forgotten them', async () => {
    const redis = await open(server.url);
    expect(await increase(redis, 'runs')).toBe(2);
    expect(await increase(redis, 'runs')).toBe(4);
    await server.command('SCRIPT FLUSH');
    expect(await increase(redis, 'runs')).toBe(6);
    expect(redis.state).toBe('here');
  });

  it('uses the database that is named', async () => {
    await server.command('FLUSHALL');
    const redis = await open(`${server.url}/${DATABASES - 1}`);
    expect(await increase(redis, 'named')).toBe(2);
    expect(await server.command('DBSIZE')).toBe(':0');
  });

  it('is away where there is no such database, and uses no other', async () => {
    await server.command('FLUSHALL');
    const redis = await open(`${server.url}/${DATABASES}`);
    expect(redis.state).toBe('away');
    expect(await increase(redis, 'none')).toBeUndefined();
    await delay(1_500);
    expect(redis.state).toBe('away');
    expect(await server.command('DBSIZE')).toBe(':0');
    expect(said).toEqual([
      'warn: Redis is away, each process counts limits alone: ' +
        `Error: its database ${DATABASES} cannot be used: ERR DB index is out of range`,
    ]);
  });

  it('waits 100 ms for a server that stands still, then not at all, and comes back', async () => {
    const redis = await open(server.url);
    server.pause();
    const all = await Promise.all(
      Array.from({ length: 50 }, () => timed(increase(redis, 'paused'))),
    );
    expect(all.map(({ answer }) => answer)).toEqual(all.map(() => undefined));
    expect(Math.max(...all.map(({ ms }) => ms))).toBeLessThan(2_000);
    expect(redis.state).toBe('away');
    for (let count = 0; count < 30; count += 1) {
      expect((await timed(increase(redis, 'paused'))).ms).toBeLessThan(90);
      await delay(100);
    }
    server.resume();
    expect(await untilHere(redis)).toBeLessThan(9_000);
    expect(await increase(redis, 'back')).toBe(2);
    expect(said).toEqual([
      'warn: Redis is away, each process counts limits alone: Error: no answer within 100 ms',
      'log: Redis answers again: limits are shared.',
    ]);
  });

  it('notices a server that goes, and finds it when it is back', async () => {
    const redis = await open(server.url);
    await server.stop();
    await delay(50);
    expect(redis.state).toBe('away');
    expect((await timed(increase(redis, 'a'))).ms).toBeLessThan(90);
    await delay(2500);
    await server.start();
    expect(await untilHere(redis)).toBeLessThan(9_000);
    expect(said).toHaveLength(2);
  });

  it('starts without its server', async () => {
    await server.stop();
    const redis = await open(server.url.replace('redis://', 'redis://user:secret@'));
    expect(redis.state).toBe('away');
    expect(await increase(redis, 'a')).toBeUndefined();
    await server.start();
    expect(said).toEqual([expect.stringContaining('ECONNREFUSED')]);
    expect(said.join()).not.toContain('secret');
  });

  it('does not wait for itself: an answer that came while the process was busy counts', async () => {
    const redis = await open(server.url);
    await increase(redis, 'busy');
    const answer = increase(redis, 'busy');
    const busyUntil = performance.now() + 300;
    while (performance.now() < busyUntil);
    expect(await answer).toBe(4);
  });

  it('leaves a server alone that takes no writes', async () => {
    const redis = await open(server.url);
    await server.command('CONFIG SET maxmemory 1');
    expect(await increase(redis, 'full')).toBeUndefined();
    await delay(2500);
    expect(redis.state).toBe('away');
    expect(said).toHaveLength(1);
    await server.command('CONFIG SET maxmemory 0');
    expect(await untilHere(redis)).toBeLessThan(9_000);
  });

  it('is away for a wrong password', async () => {
    await server.command('CONFIG SET requirepass right-one');
    const redis = await open(server.url.replace('redis://', 'redis://:wrong-one@'));
    expect(redis.state).toBe('away');
    expect(said.join()).not.toContain('wrong-one');
    const right = await open(server.url.replace('redis://', 'redis://:right-one@'));
    expect(right.state).toBe('here');
  });
});
