import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { sql } from 'kysely';
import { callerOf, type Bookkeeper, makeBookkeeper } from '../../test/support/bookkeeper.js';
import { type DatabaseSettings, describeEveryEngine } from '../../test/support/databases.js';
import { until } from '../../test/support/until.js';
import { usageRecord } from '../../test/support/usage-record.js';
import { readConfig } from '../config/read-config.js';
import { type Units } from '../contract/money.js';
import { risingId } from './rising-id.js';
import { UsageRetention } from './usage-retention.service.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const free = callerOf('acc_1', { limited: false });

/** Later than any real clock, and later for each test, since ids never go back. */
let start = Date.UTC(2101, 0, 1, 12);

describeEveryEngine('UsageRetention', ({ name, fresh }) => {
  const open: { keeper: Bookkeeper; retention: UsageRetention }[] = [];

  beforeEach(() => {
    jest.useFakeTimers({
      now: start,
      doNotFake: [
        ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
        ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
      ],
    });
    start = Date.UTC(new Date(start).getUTCFullYear() + 1, 0, 1, 12);
  });
  afterEach(async () => {
    for (const { keeper, retention } of open.splice(0)) {
      retention.onModuleDestroy();
      await keeper.database.onApplicationShutdown();
    }
    jest.useRealTimers();
  });

  /** Processes that start at the same time. */
  const processes = async (settings: DatabaseSettings, count: number, env: object = {}) => {
    const started = Array.from({ length: count }, () => {
      const keeper = makeBookkeeper(settings);
      return { keeper, retention: new UsageRetention(keeper.database, readConfig({ ...env })) };
    });
    open.push(...started);
    await Promise.all(started.map(({ keeper }) => keeper.database.onModuleInit()));
    for (const { retention } of started) retention.onApplicationBootstrap();
    return started as [(typeof started)[0], ...typeof started];
  };

  /** A call at this moment. */
  const callAt = async ({ charges }: Bookkeeper, moment: number) => {
    jest.setSystemTime(moment);
    const charged = { id: risingId(), caller: free, requestId: iso(moment), hold: undefined };
    const record = usageRecord({ requestId: iso(moment), createdAt: moment });
    await charges.settle(charged, record);
    return () => charges.settle(charged, record);
  };

  /** The moments of the calls that are on record, with the partition that each stands in. */
  const recorded = ({ database }: Bookkeeper) =>
    database.read(async (kysely) => {
      const place = name === 'sqlite' ? sql`''` : sql`tableoid::regclass::text`;
      const { rows } = await sql<{ request_id: string; place: string }>`
        select request_id, ${place} as place from requests order by created_at`.execute(kysely);
      return rows;
    });
  const moments = async (keeper: Bookkeeper) =>
    (await recorded(keeper)).map(({ request_id }) => request_id);

  const partitions = async ({ database }: Bookkeeper) => {
    const { rows } = await database.read((kysely) =>
      sql<{ name: string }>`
        select relname as name from pg_class where relispartition and relkind = 'r'
        order by relname`.execute(kysely),
    );
    return rows.map((row) => row.name);
  };
  const nextHour = () => jest.advanceTimersByTime(HOUR);

  it('forgets old calls by its timer, in several processes at once, and nothing else', async () => {
    const [first, ...others] = await processes(await fresh(), 3, { USAGE_RETENTION_DAYS: '30' });
    const { keeper } = first;
    const noon = Date.now();
    const morning = (day: number) => noon + day * DAY - 6 * HOUR;
    const year = new Date(noon).getUTCFullYear();
    const days = (month: string, from: number, to: number) =>
      Array.from(
        { length: to - from + 1 },
        (_, index) => `requests_${year}_${month}_${String(from + index).padStart(2, '0')}`,
      );
    const other = 'requests_of_other_times';
    if (name === 'postgres') {
      expect(await partitions(keeper)).toEqual([...days('01', 1, 8), other]);
    }
    const keepers = [keeper, ...others.map((one) => one.keeper)];
    for (let day = 0; day < 8; day += 1) await callAt(keepers[day % 3]!, morning(day));
    // When nobody has made a partition for it.
    for (let count = 0; count < 600; count += 1) await callAt(keeper, morning(20) + count);
    const rows = await recorded(keeper);
    if (name === 'postgres') {
      const places = rows.map(({ place }) => place);
      expect([...new Set(places)]).toEqual([...days('01', 1, 8), other]);
    }
    const all = rows.map(({ request_id }) => request_id);

    jest.setSystemTime(noon + 31 * DAY - HOUR);
    nextHour();
    // All that is older than 30 days; on PostgreSQL the rest of that day waits for its end.
    const gone = name === 'sqlite' ? 2 : 1;
    await until(async () => (await moments(keeper)).length <= all.length - gone);
    if (name === 'postgres') {
      await until(async () => (await partitions(keeper)).length === 7 + 8 + 1);
      const expected = [...days('01', 2, 8), ...days('02', 1, 8), other].sort();
      expect(await partitions(keeper)).toEqual(expected);
    }
    await callAt(keeper, morning(31));
    expect(await moments(keeper)).toEqual([...all.slice(gone), iso(morning(31))]);

    jest.setSystemTime(noon + 52 * DAY - HOUR);
    nextHour();
    await until(async () => (await moments(keeper)).length === 1);
    expect(await moments(keeper)).toEqual([iso(morning(31))]);
  });

  it('keeps everything where nothing is set, and books a call once whenever it comes', async () => {
    const settings = await fresh();
    const [early] = await processes(settings, 1);
    const noon = Date.now();
    const year = new Date(noon).getUTCFullYear();
    const again = await callAt(early.keeper, noon);
    const past = await callAt(early.keeper, noon + 800 * DAY);
    const [late] = await processes(settings, 1);
    nextHour();
    await Promise.all([again(), past(), again(), past()]);
    const rows = await recorded(late.keeper);
    expect(rows.map(({ request_id }) => request_id)).toEqual([iso(noon), iso(noon + 800 * DAY)]);
    if (name === 'sqlite') return;
    // The second one stood with those of other times, until its month had a place of its own.
    const last = iso(noon + 800 * DAY)
      .slice(0, 7)
      .replace('-', '_');
    const places = rows.map(({ place }) => place);
    expect(places).toEqual([`requests_${year}_01`, `requests_${last}`]);
  });

  it('gives way to a question that takes long, and comes back to it', async () => {
    if (name === 'sqlite') return;
    const [{ keeper, retention }] = await processes(await fresh(), 1, {
      USAGE_RETENTION_DAYS: '1',
    });
    const noon = Date.now();
    await callAt(keeper, noon);
    jest.setSystemTime(noon + 10 * DAY);
    const asked = Promise.withResolvers<undefined>();
    const answered = Promise.withResolvers<undefined>();
    const question = keeper.database.report((kysely) =>
      kysely.transaction().execute(async (transaction) => {
        await transaction.selectFrom('requests').select('id').execute();
        asked.resolve(undefined);
        await answered.promise;
      }),
    );
    // The sweep of the start reads the table, too: that somebody does says nothing of the question.
    await Promise.race([asked.promise, question]);
    const dropped = retention.deleteBefore(noon + 5 * DAY);
    await expect(dropped).rejects.toMatchObject({ status: 503 });
    expect(await moments(keeper)).toEqual([iso(noon)]);
    answered.resolve(undefined);
    await question;
    await until(async () => {
      await retention.deleteBefore(noon + 5 * DAY);
      return true;
    });
    expect(await moments(keeper)).toEqual([]);
  });

  it('forgets old feedback, but not what it said of a model', async () => {
    const [{ keeper, retention }] = await processes(await fresh(), 1);
    const noon = Date.now();
    const said = { model: 'a/b', task: '', millionths: 5, note: 'Dear Ann, …' };
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      ...{ ...said, account_id: `acc_${index % 7}`, request_id: `req_${index}` },
      created_at: index < 1_199 ? noon - index : noon + 1,
    }));
    const opinion = { account_id: 'acc_1', model: 'a/b', task: '', count: 1, millionths: 5 };
    await keeper.database.write(async (transaction) => {
      await transaction.insertInto('feedback').values(rows).execute();
      await transaction.insertInto('opinions').values(opinion).execute();
    });
    await retention.deleteBefore(noon + 1);
    const left = await keeper.database.read(async (kysely) => ({
      feedback: await kysely.selectFrom('feedback').select('request_id').execute(),
      opinions: await kysely.selectFrom('opinions').selectAll().execute(),
    }));
    expect(left).toEqual({ feedback: [{ request_id: 'req_1199' }], opinions: [opinion] });
  });

  it('forgets what keys spent in windows that are long over', async () => {
    const [{ keeper }] = await processes(await fresh(), 1);
    const year = new Date(Date.now()).getUTCFullYear();
    jest.setSystemTime(Date.UTC(year, 1, 20, 12));
    const windows: readonly (readonly [string, Units])[] = [
      [`day:${year}-02-12`, 0n],
      [`day:${year}-02-11`, 7n],
      [`day:${year}-02-13`, 0n],
      [`day:${year}-02-20`, 0n],
      [`week:${year - 1}-12-01`, 0n],
      [`week:${year}-02-19`, 0n],
      [`month:${year}-01`, 0n],
      [`month:${year}-02`, 0n],
      ['total', 0n],
    ];
    await keeper.database.write((transaction) =>
      transaction
        .insertInto('key_spend')
        .values(
          windows.map(([spend_window, held_units]) => ({
            ...{ key_id: 'k', spend_window, held_units, spent_units: 5n },
          })),
        )
        .execute(),
    );
    nextHour();
    const left = () =>
      keeper.database.read((kysely) =>
        kysely.selectFrom('key_spend').select('spend_window').orderBy('spend_window').execute(),
      );
    const kept = [
      ...[`day:${year}-02-11`, `day:${year}-02-13`, `day:${year}-02-20`],
      ...[`month:${year}-02`, 'total', `week:${year}-02-19`],
    ];
    // The sweep of the start may come as late as here, and finds only the oldest.
    await until(async () => (await left()).length <= kept.length);
    expect((await left()).map((row) => row.spend_window)).toEqual(kept);
  });
});

const iso = (moment: number) => new Date(moment).toISOString();
