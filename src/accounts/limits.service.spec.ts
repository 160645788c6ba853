import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithRedis, type TestRedis } from '../../test/support/redis.js';
import { until } from '../../test/support/until.js';
import { Line } from '../cluster/line.js';
import { Primary } from '../cluster/primary.service.js';
import { readConfig } from '../config/read-config.js';
import { Redis } from '../redis/redis.service.js';
import { LimitCounts } from './limit-counts.js';
import { type Limit } from './limit.js';
import { Limits } from './limits.service.js';
import { countsFor, releaseWorker } from './primary-counts.js';

const opened: { onApplicationShutdown(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.onApplicationShutdown();
});

/** The limits of one process. */
async function openLimits(env: Record<string, string>, primary = new Primary(undefined)) {
  const redis = new Redis(readConfig(env));
  const limits = new Limits(redis, primary);
  opened.push(redis, limits);
  await redis.onModuleInit();
  limits.onModuleInit();
  return { redis, limits };
}

let made = 0;
/** A limit that nobody has used yet. */
const limitOf = (counts: Limit['counts'], limit: number, windowMs = 60_000): Limit => {
  made += 1;
  return { counts, name: `test:${made}`, limit, windowMs };
};
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** What holds in one process alone and in processes that share. */
function everywhere(open: () => ReturnType<typeof openLimits>) {
  it('takes what there is and refuses the rest, at any speed', async () => {
    const { limits } = await open();
    const limit = limitOf('requests', 100);
    const admissions = await times(300, () => limits.admit([limit]));
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(100);
    const { standings } = await limits.admit([limit]);
    expect(standings).toMatchObject([{ ...limit, used: 100 }]);
    expect(standings[0]!.msLeft).toBeGreaterThan(50_000);
    expect(standings[0]!.msLeft).toBeLessThanOrEqual(60_000);
  });

  it('takes from all limits or from none', async () => {
    const { limits } = await open();
    const [wide, narrow] = [limitOf('requests', 10), limitOf('requests', 2)];
    for (const admitted of [true, true, false, false]) {
      expect(await limits.admit([wide, narrow])).toMatchObject({ admitted });
    }
    expect((await limits.admit([wide])).standings).toMatchObject([{ used: 3 }]);
  });

  it('begins a new window after the last one, with the first request', async () => {
    const { limits } = await open();
    const limit = limitOf('requests', 1, 300);
    expect(await limits.admit([limit])).toMatchObject({ admitted: true });
    expect(await limits.admit([limit])).toMatchObject({ admitted: false });
    await delay(310);
    expect(await limits.admit([limit])).toMatchObject({ admitted: true });
  });

  it('counts tokens when they are known, beyond the limit too', async () => {
    const { limits } = await open();
    const limit = limitOf('tokens', 10, 300);
    expect(await limits.admit([limit])).toMatchObject({ admitted: true, standings: [{ used: 0 }] });
    await limits.add(limit, 9);
    expect(await limits.admit([limit])).toMatchObject({ admitted: true, standings: [{ used: 9 }] });
    await limits.add(limit, 1_000_000_000);
    const full = { admitted: false, standings: [{ used: 1_000_000_009 }] };
    expect(await limits.admit([limit])).toMatchObject(full);
    await delay(310);
    expect(await limits.admit([limit])).toMatchObject({ admitted: true });
  });

  it('lets so many calls run at once, and the next when one has ended', async () => {
    const { limits } = await open();
    const held = [limitOf('calls', 2), limitOf('calls', 3)];
    const running = await times(3, () => limits.admit(held));
    expect(running.map(({ admitted }) => admitted)).toEqual([true, true, false]);
    running[2]!.end();
    expect(await limits.admit(held)).toMatchObject({ admitted: false });
    running[0]!.end();
    expect(await limits.admit(held)).toMatchObject({
      admitted: true,
      standings: [{ used: 2 }, {}],
    });
    expect(await limits.admit(held)).toMatchObject({ admitted: false });
  });

  it('takes nothing for a look', async () => {
    const { limits } = await open();
    const all = (['requests', 'tokens', 'calls'] as const).map((counts) => limitOf(counts, 2));
    const unused = all.map((limit) => ({ ...limit, used: 0, msLeft: limit.windowMs }));
    unused[2]!.msLeft = 0;
    expect(await limits.look(all)).toEqual(unused);
    await limits.admit(all);
    await limits.add(all[1]!, 7);
    for (let count = 0; count < 3; count += 1) {
      expect(await limits.look(all)).toMatchObject([{ used: 1 }, { used: 7 }, { used: 1 }]);
    }
  });

  it('counts one request where the throttler asks', async () => {
    const { limits } = await open();
    const { name } = limitOf('requests', 1);
    const first = { totalHits: 1, timeToExpire: 60, isBlocked: false, timeToBlockExpire: 0 };
    expect(await limits.increment(name, 60_000, 1)).toEqual(first);
    const second = { ...first, isBlocked: true, timeToBlockExpire: 60 };
    expect(await limits.increment(name, 60_000, 1)).toEqual(second);
  });
}

describe('Limits in one process', () => {
  everywhere(() => openLimits({}));
});

describe('Limits in the primary', () => {
  const primary = primaryOf(new LimitCounts());
  let workers = 0;
  const open = () => openLimits({}, primary.worker((workers += 1)));
  everywhere(open);

  it('is exact over workers', async () => {
    const all = await times(3, open);
    const [requests, tokens] = [limitOf('requests', 100), limitOf('tokens', 1000)];
    const admissions = await times(600, (index) =>
      all[index % 3]!.limits.admit([requests, tokens]),
    );
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(100);
    await times(300, (index) => all[index % 3]!.limits.add(tokens, 3));
    for (const { limits } of all) {
      expect((await limits.admit([tokens])).standings).toMatchObject([{ used: 900 }]);
    }
  });

  it('ends the calls of a worker that is gone, and no others', async () => {
    const limit = limitOf('calls', 3);
    const [one, other] = [primary.worker(101), primary.worker(1012)];
    const [dying, living] = [await openLimits({}, one), await openLimits({}, other)];
    await dying.limits.admit([limit]);
    await dying.limits.admit([limit]);
    await living.limits.admit([limit]);
    expect(await living.limits.admit([limit])).toMatchObject({ admitted: false });
    primary.leave(101);
    expect(await living.limits.look([limit])).toMatchObject([{ used: 1 }]);
  });

  it('counts alone where the primary is late, and leaves no call behind there', async () => {
    const limit = limitOf('calls', 1);
    const { limits } = await open();
    primary.late = true;
    const alone = await limits.admit([limit]);
    expect(alone).toMatchObject({ admitted: true, standings: [{ used: 1 }] });
    primary.late = false;
    await until(async () => (await limits.look([limit]))[0]!.used === 1);
    await until(async () => (await limits.look([limit]))[0]!.used === 0);
    alone.end();
  });
});

describeWithRedis('Limits in Redis', (server) => {
  const env = () => ({ REDIS_URL: server.url });
  everywhere(() => openLimits(env()));

  it('is exact over processes', async () => {
    const processes = await times(3, () => openLimits(env()));
    const [requests, tokens] = [limitOf('requests', 100), limitOf('tokens', 1000)];
    const admissions = await times(600, (index) =>
      processes[index % 3]!.limits.admit([requests, tokens]),
    );
    expect(admissions.filter(({ admitted }) => admitted)).toHaveLength(100);
    await times(300, (index) => processes[index % 3]!.limits.add(tokens, 3));
    for (const { limits } of processes) {
      expect((await limits.admit([tokens])).standings).toMatchObject([{ used: 900 }]);
    }
    expect(processes.map(({ redis }) => redis.state)).toEqual(['here', 'here', 'here']);
  });

  it('asks once for all limits of a request', async () => {
    const { limits } = await openLimits(env());
    const asked = [
      limitOf('requests', 9),
      limitOf('requests', 9),
      limitOf('tokens', 9),
      limitOf('calls', 9),
    ];
    await limits.admit(asked);
    const before = await scriptsRun(server);
    await limits.admit(asked);
    expect((await scriptsRun(server)) - before).toBe(1);
  });

  it('goes on alone from what Redis said last, and shares again', async () => {
    const [one, other] = [await openLimits(env()), await openLimits(env())];
    const limit = limitOf('requests', 10);
    await times(6, () => one.limits.admit([limit]));
    await times(2, () => other.limits.admit([limit]));
    server.pause();
    const alone = await times(8, () => other.limits.admit([limit]));
    expect(alone.filter(({ admitted }) => admitted)).toHaveLength(2);
    server.resume();
    await untilHere(one.redis, other.redis);
    const later = limitOf('requests', 10);
    await times(5, () => one.limits.admit([later]));
    expect((await other.limits.admit([later])).standings).toMatchObject([{ used: 6 }]);
  });

  it('forgets the calls of a process that died, and not those that run on', async () => {
    const [dying, living] = [await openLimits(env()), await openLimits(env())];
    const limit = limitOf('calls', 2, 2_500);
    const [left, kept] = [await dying.limits.admit([limit]), await living.limits.admit([limit])];
    dying.limits.onApplicationShutdown();
    expect([left.admitted, kept.admitted]).toEqual([true, true]);
    await delay(2_000);
    expect(await living.limits.admit([limit])).toMatchObject({ admitted: false });
    await delay(1_500);
    expect((await living.limits.admit([limit])).standings).toMatchObject([{ used: 2 }]);
    expect(await living.limits.admit([limit])).toMatchObject({ admitted: false });
  });

  it('counts again the calls that began or ended while Redis was away', async () => {
    const [one, other] = [await openLimits(env()), await openLimits(env())];
    const limit = limitOf('calls', 2, 6_000);
    const before = await one.limits.admit([limit]);
    await server.stop();
    await delay(50);
    before.end();
    expect(await one.limits.admit([limit])).toMatchObject({ admitted: true });
    expect(await one.limits.admit([limit])).toMatchObject({ admitted: true });
    await server.start();
    await untilHere(one.redis, other.redis);
    await delay(2_100);
    expect(await other.limits.admit([limit])).toMatchObject({
      admitted: false,
      standings: [{ used: 2 }],
    });
  });

  it.each(['is away', 'does not answer'])(
    'counts no call that has ended while Redis %s when it is there again',
    async (how) => {
      const one = await openLimits(env());
      const limit = limitOf('calls', 2, 6_000);
      const running = [await one.limits.admit([limit]), await one.limits.admit([limit])];
      if (how === 'is away') await server.stop();
      else server.pause();
      // It may yet get this one, which is refused.
      expect(await one.limits.admit([limit])).toMatchObject({ admitted: false });
      for (const { end } of running) end();
      const late = await one.limits.admit([limit]);
      late.end();
      if (how === 'is away') await server.start();
      else server.resume();
      await untilHere(one.redis);
      expect(await one.limits.admit([limit])).toMatchObject({ standings: [{ used: 1 }] });
      expect(await one.limits.admit([limit])).toMatchObject({ admitted: true });
    },
  );

  it('keeps nothing in Redis that does not end by itself', async () => {
    const { limits } = await openLimits(env());
    await server.command('FLUSHALL');
    const all = (['requests', 'tokens', 'calls'] as const).map((counts) => limitOf(counts, 5, 900));
    await limits.admit(all);
    await limits.add(all[1]!, 3);
    expect(await server.command('DBSIZE')).toBe(':3');
    limits.onApplicationShutdown();
    await delay(1_000);
    expect(await server.command('DBSIZE')).toBe(':0');
  });
});

/** What the primary does for its workers; the pipes carry JSON. */
function primaryOf(counts: LimitCounts) {
  const primary = {
    late: false,
    leave: (workerId: number) => {
      releaseWorker(workerId, counts);
    },
    worker: (workerId: number) => {
      const carry = (to: () => Line) => (message: object) => {
        const text = JSON.stringify(message);
        const ms = primary.late ? 1_010 : 0;
        setTimeout(() => {
          to().receive(JSON.parse(text));
        }, ms);
      };
      const end = (at: 0 | 1): Line =>
        new Line(
          carry(() => ends[at]),
          () => undefined,
        );
      const ends: [Line, Line] = [end(1), end(0)];
      for (const [name, listener] of Object.entries(countsFor(workerId, counts))) {
        ends[1].on(name, listener);
      }
      return new Primary(ends[0]);
    },
  };
  return primary;
}

async function scriptsRun(server: TestRedis): Promise<number> {
  const statistics = await server.command('INFO commandstats');
  const calls = [...statistics.matchAll(/cmdstat_eval(?:sha)?:calls=(\d+)/g)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function untilHere(...processes: Redis[]): Promise<void> {
  const startedAt = performance.now();
  while (processes.some(({ state }) => state !== 'here')) {
    if (performance.now() - startedAt > 6_000) throw new Error('Redis was not found again');
    await delay(10);
  }
}
