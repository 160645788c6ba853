import { expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { setTimeout as delay } from 'node:timers/promises';
import { describeWithServer } from '../../test/support/databases.js';
import { TroubledNetwork } from '../../test/support/network-trouble.js';
import { account, countAccounts, open, unopened } from '../../test/support/open-database.js';
import { until } from '../../test/support/until.js';

describeWithServer('Database on PostgreSQL', ({ fresh, stop, start }) => {
  it('begins again after a deadlock', async () => {
    const database = await open(await fresh());
    await database.write((transaction) =>
      transaction
        .insertInto('accounts')
        .values([account, { ...account, id: 'b' }])
        .execute(),
    );
    let runs = 0;
    let locked = 0;
    const visit = (ids: readonly string[]) =>
      database.write(async (transaction) => {
        runs += 1;
        await sql`set local deadlock_timeout = '50ms'`.execute(transaction);
        for (const id of ids) {
          await transaction
            .updateTable('accounts')
            .set({ name: id })
            .where('id', '=', id)
            .execute();
          locked += 1;
          // Each holds its first row before either asks for another.
          while (locked < 2) await delay(5);
        }
      });
    await Promise.all([visit(['a', 'b']), visit(['b', 'a'])]);
    expect(runs).toBe(3);
  });

  it('refuses within a second while the network swallows everything, and recovers', async () => {
    const { network, settings } = await TroubledNetwork.before(await fresh());
    const database = await open(settings);
    network.silence('all');
    await delay(250); // longer than a sign of life is trusted
    const startedAt = performance.now();
    const answers = [countAccounts(database), database.confirmAvailable(), countAccounts(database)];
    const results = await Promise.allSettled(answers);
    const ms = performance.now() - startedAt;
    const readyMeanwhile = await database.isReady();
    network.speak();
    const readyAgain = await database.isReady();
    network.close();
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(ms).toBeLessThan(4_000);
    expect([readyMeanwhile, readyAgain]).toEqual([false, true]);
  });

  it('gives reports the time that they need, and nobody else', async () => {
    const database = await open(await fresh());
    const slow = sql`select pg_sleep(1.5)`;
    const [report, question] = await Promise.allSettled([
      database.report((kysely) => slow.execute(kysely)),
      database.read((kysely) => slow.execute(kysely)),
    ]);
    expect(report.status).toBe('fulfilled');
    expect(question).toMatchObject({ status: 'rejected', reason: { status: 503 } });
  });

  it('refuses a report within a second too while the network swallows everything', async () => {
    const { network, settings } = await TroubledNetwork.before(await fresh());
    const database = await open(settings);
    network.silence('all');
    await delay(250); // longer than a sign of life is trusted
    const startedAt = performance.now();
    const report = database.report((kysely) => sql`select 1`.execute(kysely));
    await expect(report).rejects.toMatchObject({ status: 503, details: { retryAfter: 1 } });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    network.close();
  });

  it('does not use a connection again that has gone silent', async () => {
    const { network, settings } = await TroubledNetwork.before(await fresh());
    const database = await open(settings);
    await Promise.all([countAccounts(database), countAccounts(database), countAccounts(database)]);
    network.silence('open');
    await Promise.allSettled([
      countAccounts(database),
      countAccounts(database),
      countAccounts(database),
    ]);
    await delay(5_000); // when the pool has its connections back
    const counts = [];
    for (let index = 0; index < 5; index += 1) counts.push(await countAccounts(database));
    network.close();
    expect(counts).toEqual([0, 0, 0, 0, 0]);
  });

  it('leaves connections to a server that takes no writes, and finds the one that does', async () => {
    const settings = await fresh();
    const [database, operator] = [await open(settings), await open(settings)];
    const name = new URL(settings.DATABASE_URL ?? '').pathname.slice(1);
    const tell = (statement: string) =>
      operator.read((kysely) => sql.raw(statement).execute(kysely));
    const writes = () =>
      database
        .write((transaction) => transaction.updateTable('accounts').set({ name: 'b' }).execute())
        .then(
          () => true,
          () => false,
        );
    await tell(`alter database ${name} set default_transaction_read_only = on`);
    await tell(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and pid <> pg_backend_pid()`);
    await until(async () => !(await writes()) && (await database.isReady()) === false);
    // Those that are open stay as they were begun.
    await tell(`alter database ${name} reset default_transaction_read_only`);
    await until(writes);
    expect(await database.isReady()).toBe(true);
  });

  it('waits for a connection of its own where the server has no more of them', async () => {
    const settings = await fresh();
    const operator = await open(settings);
    const url = new URL(settings.DATABASE_URL ?? '');
    const name = url.pathname.slice(1);
    const tell = (statement: string) =>
      operator.read((kysely) => sql.raw(statement).execute(kysely));
    await tell(`create role ${name} login password 'secret' connection limit 4`);
    await tell('drop schema public cascade');
    await tell(`create schema public authorization ${name}`);
    [url.username, url.password] = [name, 'secret'];
    const database = await open({ ...settings, DATABASE_URL: url.href });
    const asked = Array.from({ length: 12 }, () => countAccounts(database));
    expect(await Promise.all(asked)).toEqual(asked.map(() => 0));
  });

  it('takes from a process that stands still what it has locked', async () => {
    const settings = await fresh();
    const database = await open(settings);
    const other = await open(settings);
    await database.write((transaction) =>
      transaction.insertInto('accounts').values(account).execute(),
    );
    const { promise: going, resolve: go } = Promise.withResolvers<undefined>();
    const standing = database.write(async (transaction) => {
      await transaction.updateTable('accounts').set({ name: 'standing' }).execute();
      await going;
    });
    await expect(standing).rejects.toMatchObject({ status: 503 });
    const change = () =>
      other
        .write((transaction) => transaction.updateTable('accounts').set({ name: 'b' }).execute())
        .then(
          () => true,
          () => false,
        );
    await until(change, { seconds: 15 });
    go(undefined);
  });

  it('writes what a process has begun that stood still, when it goes on', async () => {
    const database = await open(await fresh());
    let runs = 0;
    const writer = database.grouped<typeof account>((rows) => async (transaction) => {
      runs += 1;
      await transaction.insertInto('accounts').values(rows).execute();
      if (runs === 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_000);
      await transaction.updateTable('accounts').set({ name: 'b' }).execute();
    });
    await writer.add(account);
    expect(runs).toBe(2);
    expect(await countAccounts(database)).toBe(1);
  });

  it('refuses the work that a stop of the server interrupts', async () => {
    const database = await open(await fresh());
    const interrupted = database.write(async (transaction) => {
      await transaction.insertInto('accounts').values(account).execute();
      await stop();
      await transaction.insertInto('accounts').values(account).execute();
    });
    await expect(interrupted).rejects.toMatchObject({ status: 503, details: { retryAfter: 1 } });
    await start();
    expect(await countAccounts(database)).toBe(0);
  });

  it('tells each new reason why it cannot be opened yet once, and when it can', async () => {
    const said: string[] = [];
    const note = (message: unknown) => void said.push(String(message));
    const spies = (['warn', 'log'] as const).map((level) =>
      jest.spyOn(Logger.prototype, level).mockImplementation(note),
    );
    const hasSaid = (what: RegExp) => said.filter((one) => what.test(one)).length;
    const settings = await fresh();
    await stop();
    await unopened({ ...settings, DATABASE_URL: `${settings.DATABASE_URL}_later` }).onModuleInit();
    expect(hasSaid(/cannot be opened, trying on: .*ECONNREFUSED/)).toBe(1);
    await start();
    await until(() => hasSaid(/cannot be opened, trying on: .*_later" does not exist/) > 0);
    const { pathname } = new URL(`${settings.DATABASE_URL}_later`);
    const other = await open(settings);
    await other.read((kysely) => sql.raw(`create database ${pathname.slice(1)}`).execute(kysely));
    await until(() => hasSaid(/^The database is open\.$/) > 0);
    expect(hasSaid(/_later" does not exist/)).toBe(1);
    for (const spy of spies) spy.mockRestore();
  });
});
