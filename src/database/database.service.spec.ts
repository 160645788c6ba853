import { describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { createHook } from 'node:async_hooks';
import { copyFileSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describeEveryEngine, temporaryDirectory } from '../../test/support/databases.js';
import { account, countAccounts, open, unopened } from '../../test/support/open-database.js';
import { ConfigError } from '../config/read-config.js';
import { type Database } from './database.service.js';

describeEveryEngine('Database', ({ name, fresh }) => {
  it('migrates once, also when several start at once and when it starts again', async () => {
    const settings = await fresh();
    await Promise.all(Array.from({ length: 6 }, () => open(settings)));
    const again = await open(settings);
    const { rows } = await again.read((kysely) =>
      sql<{ number: number }>`select number from migrations`.execute(kysely),
    );
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, index) => index + 1));
    expect(rows.length).toBeGreaterThan(3);
  });

  it('serves on the tables of a newer version, and says so once', async () => {
    const settings = await fresh();
    const newer = await open(settings);
    await newer.write((transaction) =>
      sql`insert into migrations (number) values (998), (999)`.execute(transaction),
    );
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const older = await open(settings);
    const said = warn.mock.calls.map(([message]) => String(message));
    warn.mockRestore();
    expect(said).toEqual([
      expect.stringContaining('newer version has migrated the database (998, 999)'),
    ]);
    expect(await countAccounts(older)).toBe(0);
  });

  it('keeps money exact to the last of 64 bits, and reads counts as numbers', async () => {
    const database = await open(await fresh());
    const cost = 9_223_372_036_854_775_807n;
    const whole = sql.raw(name === 'sqlite' ? 'integer' : 'bigint');
    await database.write(async (transaction) => {
      await sql`create table bills (cost_units ${whole}, n ${whole})`.execute(transaction);
      await sql`insert into bills values (${cost - 1n}, 1763650000123), (${1n}, 2)`.execute(
        transaction,
      );
    });
    const { rows } = await database.read((kysely) =>
      sql`select sum(cost_units) as cost_units, max(n) as latest, count(*) as n from bills`.execute(
        kysely,
      ),
    );
    expect(rows).toEqual([{ cost_units: cost, latest: 1_763_650_000_123, n: 2 }]);
  });

  it('stores texts with U+0000 and half characters, without them', async () => {
    const database = await open(await fresh());
    await database.write((transaction) =>
      transaction
        .insertInto('accounts')
        .values({ ...account, name: 'a\0b\uD800c😀' })
        .execute(),
    );
    const rows = await database.read((kysely) =>
      kysely.selectFrom('accounts').select(['name', 'disabled']).execute(),
    );
    expect(rows).toEqual([{ name: 'ab\uFFFDc😀', disabled: 0 }]);
  });

  it('loses no update when several processes read and then write the same row', async () => {
    const settings = await fresh();
    const processes = await Promise.all([open(settings), open(settings), open(settings)]);
    await processes[0].write((transaction) =>
      transaction.insertInto('accounts').values(account).execute(),
    );
    const increment = (process: Database): Promise<unknown> =>
      process.write(async (transaction) => {
        const { created_at } = await transaction
          .selectFrom('accounts')
          .select('created_at')
          .$if(name === 'postgres', (query) => query.forUpdate())
          .executeTakeFirstOrThrow();
        await transaction
          .updateTable('accounts')
          .set({ created_at: created_at + 1 })
          .execute();
      });
    // One waits for all the others of its round, and not for longer than a slow disk lets it.
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([...processes, ...processes].map(increment));
    }
    const row = await processes[1].read((kysely) =>
      kysely.selectFrom('accounts').select('created_at').executeTakeFirstOrThrow(),
    );
    expect(row.created_at).toBe(31);
  });

  it('undoes work that throws, and passes the error on', async () => {
    const database = await open(await fresh());
    const work = database.write(async (transaction) => {
      await transaction.insertInto('accounts').values(account).execute();
      throw new RangeError('no');
    });
    await expect(work).rejects.toThrow(new RangeError('no'));
    const rows = await database.read((kysely) =>
      kysely.selectFrom('accounts').selectAll().execute(),
    );
    expect(rows).toEqual([]);
  });

  it('refuses a key of no account', async () => {
    const database = await open(await fresh());
    const orphan = database.write((transaction) =>
      transaction
        .insertInto('api_keys')
        .values({
          ...{ id: 'k', account_id: 'nobody', name: 'k', hash: 'h', prefix: 'p', type: 'live' },
          ...{ scopes: '[]', disabled: false, created_at: 1 },
        })
        .execute(),
    );
    await expect(orphan).rejects.toThrow(/foreign key/i);
  });

  it('does what was asked before use once, and before anybody else', async () => {
    const settings = await fresh();
    const database = unopened(settings);
    const made = database.beforeUse(async (transaction) => {
      await transaction.insertInto('accounts').values(account).execute();
      return 'made';
    });
    await expect(database.read(() => Promise.resolve())).rejects.toMatchObject({ status: 503 });
    expect(await database.isReady()).toBe(false);
    await database.onModuleInit();
    expect(await made).toBe('made');
    expect(await database.isReady()).toBe(true);
  });
});

describe('Database on SQLite', () => {
  it('keeps its directory and files to their owner', async () => {
    const directory = join(temporaryDirectory(), 'made', 'here');
    const database = await open({ DATA_DIR: directory });
    await database.write((transaction) =>
      transaction.insertInto('accounts').values(account).execute(),
    );
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const modes = readdirSync(directory).map((file) => [
      file,
      statSync(join(directory, file)).mode & 0o777,
    ]);
    expect(Object.fromEntries(modes)).toEqual({
      'causeway.db': 0o600,
      'causeway.db-shm': 0o600,
      'causeway.db-wal': 0o600,
    });
  });

  it('commits to the disk', async () => {
    const database = await open({ DATA_DIR: temporaryDirectory() });
    const setting = async (name: string) =>
      (await database.read((kysely) => sql.raw<object>(`pragma ${name}`).execute(kysely))).rows[0];
    expect(await setting('journal_mode')).toEqual({ journal_mode: 'wal' });
    // SQLite syncs before its log goes into the file; each commit is put on the disk by Node's threads.
    expect(await setting('synchronous')).toEqual({ synchronous: 1 });
    const asked = new Set<number>();
    let done = 0;
    const watch = createHook({
      init: (id, type) => type === 'FSREQCALLBACK' && asked.add(id),
      before: (id) => asked.has(id) && (done += 1),
    }).enable();
    for (const times of [1, 2, 3]) {
      await database.write((transaction) =>
        transaction
          .insertInto('accounts')
          .values({ ...account, id: `a${times}` })
          .execute(),
      );
      expect(done).toBe(times);
    }
    // What is written while the disk is at work gets there at once.
    await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        database.write((transaction) =>
          transaction
            .insertInto('accounts')
            .values({ ...account, id: `b${at}` })
            .execute(),
        ),
      ),
    );
    expect(done - 3).toBeGreaterThan(0);
    expect(done - 3).toBeLessThan(10);
    watch.disable();
  });

  it('reads reports elsewhere, while others are served', async () => {
    const database = await open({ DATA_DIR: temporaryDirectory() });
    await database.write((transaction) =>
      transaction.insertInto('accounts').values(account).execute(),
    );
    const over: string[] = [];
    const report = database
      .report((kysely) =>
        sql<{ n: number; name: string }>`
          with recursive count(n) as (select 1 union all select n + 1 from count where n < 3000000)
          select max(n) as n, (select name from accounts) as name from count`.execute(kysely),
      )
      .finally(() => over.push('report'));
    await delay(1);
    for (let reads = 0; reads < 3; reads += 1) await countAccounts(database);
    over.push('reads');
    expect((await report).rows).toEqual([{ n: 3_000_000, name: account.name }]);
    expect(over).toEqual(['reads', 'report']);
    await expect(
      database.report((kysely) => sql`select 1 from nowhere`.execute(kysely)),
    ).rejects.toThrow('no such table: nowhere');
  });

  it('lets the reports of accounts take turns', async () => {
    const database = await open({ DATA_DIR: temporaryDirectory() });
    const over: string[] = [];
    const report = (name: string) =>
      database
        .report((kysely) => sql`select ${name} as name`.execute(kysely), name[0])
        .then(() => over.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1'].map(report));
    expect(over.indexOf('b1')).toBeLessThan(over.indexOf('a3'));
  });

  it('lists the requests of an account without sorting them', async () => {
    const database = await open({ DATA_DIR: temporaryDirectory() });
    const { rows } = await database.read((kysely) =>
      sql<{ detail: string }>`explain query plan
        select * from requests where account_id = 'a' and id < 'b' order by id desc limit 9`.execute(
        kysely,
      ),
    );
    expect(rows.map(({ detail }) => detail)).toEqual([
      'SEARCH requests USING INDEX requests_by_account (account_id=? AND id<?)',
    ]);
  });

  it('lists accounts and the keys of one without sorting them', async () => {
    const database = await open({ DATA_DIR: temporaryDirectory() });
    const plan = async (query: string) => {
      const { rows } = await database.read((kysely) =>
        sql<{ detail: string }>`explain query plan ${sql.raw(query)}`.execute(kysely),
      );
      return rows.map(({ detail }) => detail);
    };
    const order = `(created_at, id) < (5, 'b') order by created_at desc, id desc limit 9`;
    expect(await plan(`select * from accounts where ${order}`)).toEqual([
      'SEARCH accounts USING INDEX accounts_in_order ((created_at,id)<(?,?))',
    ]);
    expect(await plan(`select * from api_keys where account_id = 'a' and ${order}`)).toEqual([
      'SEARCH api_keys USING INDEX api_keys_in_order (account_id=? AND (created_at,id)<(?,?))',
    ]);
  });

  it('names the cause when SQLite itself has undone a transaction', async () => {
    const database = await open({ DATA_DIR: temporaryDirectory() });
    const insert = sql`insert or rollback into accounts (id, name, disabled, created_at) values ('a', 'a', 0, 1)`;
    const twice = database.write(async (transaction) => {
      await insert.execute(transaction);
      await insert.execute(transaction);
    });
    await expect(twice).rejects.toThrow(/unique/i);
    expect(await countAccounts(database)).toBe(0);
  });

  it.each([
    ['is gone', () => undefined],
    ['is another one', copyFileSync],
  ])(
    'takes nothing while its file %s, which the log says, and goes on with the same',
    async (_, put) => {
      const told: string[] = [];
      const spies = (['error', 'log'] as const).map((level) =>
        jest.spyOn(Logger.prototype, level).mockImplementation((message: unknown) => {
          told.push(`${level}: ${String(message)}`);
        }),
      );
      const DATA_DIR = temporaryDirectory();
      const database = await open({ DATA_DIR });
      const write = (id: string) =>
        database.write((transaction) =>
          transaction
            .insertInto('accounts')
            .values({ ...account, id })
            .execute(),
        );
      await write('before');
      const path = join(DATA_DIR, 'causeway.db');
      renameSync(path, `${path}.away`);
      put(`${path}.away`, path);
      for (const id of ['lost', 'lost too']) {
        await expect(write(id)).rejects.toMatchObject({ status: 503, details: { retryAfter: 1 } });
      }
      expect(await database.isReady()).toBe(false);
      renameSync(`${path}.away`, path);
      await write('after');
      expect(await database.isReady()).toBe(true);
      expect(await countAccounts(database)).toBe(2);
      expect(told).toEqual([
        expect.stringMatching(
          /^error: The database takes nothing: .*causeway.db was moved or deleted/,
        ),
        'log: The database takes what is written again.',
      ]);
      for (const spy of spies) spy.mockRestore();
    },
  );

  it('does not start when its directory cannot be made', async () => {
    const database = unopened({ DATA_DIR: '/dev/null/data' });
    await expect(database.onModuleInit()).rejects.toThrow();
  });

  it.each<[string, (path: string) => void]>([
    ['no file', (path) => mkdirSync(path)],
    ['no database', (path) => writeFileSync(path, 'something else'.repeat(100))],
  ])('names DATA_DIR when causeway.db is %s', async (_, make) => {
    const DATA_DIR = temporaryDirectory();
    make(join(DATA_DIR, 'causeway.db'));
    const opening = unopened({ DATA_DIR }).onModuleInit();
    await expect(opening).rejects.toBeInstanceOf(ConfigError);
    await expect(opening).rejects.toThrow(`DATA_DIR ${DATA_DIR} cannot be used: `);
  });

  it('waits for another process in the timers, not in the event loop', async () => {
    const settings = { DATA_DIR: temporaryDirectory() };
    const [holder, waiter] = await Promise.all([open(settings), open(settings)]);
    let longestGap = 0;
    let last = performance.now();
    const ticker = setInterval(() => {
      longestGap = Math.max(longestGap, performance.now() - last);
      last = performance.now();
    }, 5);
    const held = holder.write(() => delay(600));
    await delay(20);
    await waiter.write((transaction) =>
      transaction.insertInto('accounts').values(account).execute(),
    );
    await held;
    clearInterval(ticker);
    // The lock is held for 600 ms; a busy machine may well take a moment.
    expect(longestGap).toBeLessThan(500);
  });
});
