import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithRedis } from './support/redis.js';
import { readConfig } from '../src/config/read-config.js';
import { type Script } from '../src/redis/connection.js';
import { Redis } from '../src/redis/redis.service.js';
import { HealthNotes } from '../src/upstream/health-notes.js';
import {
  COUNT,
  countsIn,
  HAS_CLOSED,
  LOOK,
  MAY_PROBE,
  NOTE,
  saidIn,
} from '../src/upstream/health-scripts.js';

type Run = (
  script: Script,
  keys: readonly string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

const KEPT_MS = 1_000;
const MOST_MS = 60_000;
const LEASE_MS = 400;
const LEAD_MS = 300;

/** What holds of the notes wherever they are kept; `pass` lets so many ms of their clock pass. */
function behaveAsNotes(run: Run, pass: (ms: number) => Promise<void>): void {
  let boards = 0;
  const board = () => {
    const name = `board-${(boards += 1)}`;
    return {
      note: (model: string, ms: number) => run(NOTE, [name], [model, ms]),
      count: async (by: string, ...news: (string | number)[]) =>
        Object.fromEntries(countsIn(await run(COUNT, [`${name}-calls`], [by, KEPT_MS, ...news]))),
      /** What is said of the models, and of one that this process wants to probe. */
      look: async (by = '', model = '', how = '') => {
        const claim = model === '' ? [] : [by, LEASE_MS, LEAD_MS, model, how];
        const keys = model === '' ? [name] : [name, `${name}-probe-${model}`];
        return saidIn(await run(LOOK, keys, [KEPT_MS, MOST_MS, ...claim]))!;
      },
    };
  };

  it('say how long something gets no calls, and a while longer that it may again', async () => {
    const { note, look } = board();
    expect([...(await look())]).toEqual([]);
    await note('a', 700);
    await note('a', 200);
    await note('b', 100_000);
    const said = await look();
    expect(said.get('a')).toBeGreaterThan(200);
    expect(said.get('a')).toBeLessThanOrEqual(700);
    expect(said.get('b')).toBeLessThanOrEqual(MOST_MS);
    await pass(750);
    expect((await look()).get('a')).toBe(0);
    await pass(KEPT_MS + 100);
    expect([...(await look()).keys()]).toEqual(['b']);
  });

  it('say that something works again, and since when', async () => {
    const { note, look } = board();
    await note('a', 5_000);
    await note('a', 0);
    await pass(200);
    const agoMs = HAS_CLOSED - (await look()).get('a')!;
    expect(agoMs).toBeGreaterThanOrEqual(195);
    expect(agoMs).toBeLessThan(KEPT_MS);
    await pass(KEPT_MS + 100);
    expect([...(await look())]).toEqual([]);
  });

  it('lease a probe to one process, for as long as it comes to look', async () => {
    const { note, look } = board();
    await note('a', LEAD_MS + 300);
    expect((await look('one', 'a', 'asks')).get('a')).toBeGreaterThan(0);
    await pass(400);
    expect((await look('one', 'a', 'asks')).get('a')).toBe(MAY_PROBE);
    expect((await look('two', 'a', 'asks')).get('a')).toBeGreaterThanOrEqual(0);
    await pass(LEASE_MS / 2);
    expect((await look('one', 'a', 'keeps')).get('a')).toBe(MAY_PROBE);
    await pass(LEASE_MS / 2);
    expect((await look('two', 'a', 'asks')).get('a')).toBeGreaterThanOrEqual(0);
    await pass(LEASE_MS + 100);
    expect((await look('two', 'a', 'asks')).get('a')).toBe(MAY_PROBE);
  });

  it('lease a probe to all who ask once its holder shares it, until nobody does', async () => {
    const { note, look } = board();
    await note('a', 50);
    expect((await look('one', 'a', 'asks')).get('a')).toBe(MAY_PROBE);
    expect((await look('two', 'a', 'shares')).get('a')).toBeGreaterThanOrEqual(0);
    expect((await look('one', 'a', 'shares')).get('a')).toBe(MAY_PROBE);
    for (const [by, how] of [
      ['two', 'asks'],
      ['one', 'keeps'],
      ['two', 'probes'],
      ['three', 'asks'],
    ] as const) {
      expect((await look(by, 'a', how)).get('a')).toBe(MAY_PROBE);
      await pass(LEASE_MS / 2);
    }
    await note('a', LEAD_MS);
    await pass(LEASE_MS);
    expect((await look('three', 'a', 'asks')).get('a')).toBe(MAY_PROBE);
    expect((await look('one', 'a', 'keeps')).get('a')).toBeGreaterThanOrEqual(0);
  });

  it('are made anew by who probes when they are gone, and by nobody else', async () => {
    const { look } = board();
    for (const how of ['asks', 'keeps', 'shares']) {
      expect([...(await look('one', 'a', how))]).toEqual([]);
    }
    expect((await look('one', 'a', 'probes')).get('a')).toBe(MAY_PROBE);
    expect((await look('two', 'a', 'asks')).get('a')).toBe(0);
  });

  it('are kept while somebody probes', async () => {
    const { note, look } = board();
    await note('a', 50);
    for (let time = 0; time < 4; time++) {
      await pass(KEPT_MS / 3);
      expect((await look('one', 'a', 'probes')).get('a')).toBe(MAY_PROBE);
    }
    expect((await look()).get('a')).toBe(0);
    await pass(KEPT_MS + 100);
    expect([...(await look())]).toEqual([]);
  });

  it('tell each process what the others have counted, for a while', async () => {
    const { count } = board();
    expect(await count('one', 'a', 5, 2, 'b', 1, 1)).toEqual({});
    expect(await count('two', 'a', 7, 7)).toEqual({
      a: { calls: 5, failures: 2 },
      b: { calls: 1, failures: 1 },
    });
    await count('two', 'a', 8, 7);
    expect(await count('one')).toEqual({ a: { calls: 8, failures: 7 } });
    expect((await count('three')).a).toEqual({ calls: 13, failures: 9 });
    await pass(KEPT_MS + 100);
    expect(await count('three')).toEqual({});
  });
}

describe('the notes of the primary', () => {
  let now = 0;
  const scripts = new Map(new HealthNotes(() => now).scripts);
  behaveAsNotes(
    (script, keys, values) => Promise.resolve(scripts.get(script)?.(keys, values)),
    (ms) => {
      now += ms;
      return Promise.resolve();
    },
  );
});

describeWithRedis('the notes of Redis', (redis) => {
  let service: Redis;
  beforeAll(async () => {
    service = new Redis(readConfig({ REDIS_URL: redis.url }));
    await service.onModuleInit();
  });
  afterAll(() => {
    service.onApplicationShutdown();
  });
  behaveAsNotes((...asked) => service.run(...asked), delay);

  it('say that something works also when the clock has been set back since', async () => {
    await redis.command(`HSET put-back a -${Date.now() + 600_000}`);
    const look = async () => saidIn(await service.run(LOOK, ['put-back'], [KEPT_MS, MOST_MS]))!;
    expect(HAS_CLOSED - (await look()).get('a')!).toBe(0);
    await delay(KEPT_MS + 100);
    expect([...(await look())]).toEqual([]);
  });
});
